# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels and lists: they show what `scene` knows and offer what `operators` does."""
