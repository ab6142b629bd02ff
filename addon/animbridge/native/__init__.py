# SPDX-License-Identifier: GPL-3.0-or-later
"""The binding of libanimbridge: ctypes, numpy views and exceptions. Nothing here knows Blender."""
