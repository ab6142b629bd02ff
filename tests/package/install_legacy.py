# SPDX-License-Identifier: MIT
"""Installs the add-on's zip as Edit > Preferences > Add-ons > Install does, and saves that it is enabled.

blender --background --python tests/package/install_legacy.py -- FILE.zip
"""

from __future__ import annotations

import sys

import addon_utils
import bpy

package = sys.argv[sys.argv.index("--") + 1]
bpy.ops.preferences.addon_install(filepath=package)
bpy.ops.preferences.addon_enable(module="animbridge")
assert addon_utils.check("animbridge") == (True, True), "installed, but not enabled"
bpy.ops.wm.save_userpref()
print("installed", sys.modules["animbridge"].__file__)
