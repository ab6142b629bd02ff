# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's half of a batch. The command animbridge (native/batch) has the other: it starts Blenders."""
