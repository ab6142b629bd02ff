# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds armatures, reads them as arrays and makes new ones."""
