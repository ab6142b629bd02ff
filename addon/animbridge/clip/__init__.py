# SPDX-License-Identifier: GPL-3.0-or-later
"""Clip tools on the Action of an armature."""
