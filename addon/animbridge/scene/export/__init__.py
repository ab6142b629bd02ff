# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes documents of Actions, or of what Blender shows."""
