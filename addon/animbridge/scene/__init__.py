# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender data to arrays and back: armatures, Actions and what travels with an Action."""
