# SPDX-License-Identifier: MIT
"""Installs the add-on's zip as Edit > Preferences > Add-ons > Install does, and saves that it is enabled.

blender --background --python tests/package/install_legacy.py -- FILE.zip
"""

from __future__ import annotations

import sys
from pathlib import Path

import addon_utils
import bpy

sys.path.insert(0, str(Path(__file__).parent))

import old_layout

package = sys.argv[sys.argv.index("--") + 1]
bpy.ops.preferences.addon_install(filepath=package)
bpy.ops.preferences.addon_enable(module="animbridge")
assert addon_utils.check("animbridge") == (True, True), "installed, but not enabled"
preferences = bpy.context.preferences.addons["animbridge"].preferences
if hasattr(preferences, "setting"):  # of the stand-in for an old version
    preferences.setting = old_layout.SETTING
bpy.ops.wm.save_userpref()
print("installed", sys.modules["animbridge"].__file__)
