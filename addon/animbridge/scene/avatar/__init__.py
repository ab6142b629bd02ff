# SPDX-License-Identifier: GPL-3.0-or-later
"""Second Life's avatar as an armature: its joints, a new skeleton, and a simple body for it."""
