# SPDX-License-Identifier: GPL-3.0-or-later
"""Every difference between Blender 3.4 and 5.2. No other place asks for a version or a feature."""
