# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of one armature on another: the panel Retarget."""
