# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts Blender's data to arrays and back: armatures, Actions, and what travels with an Action."""
