# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operators, panels and menus of all kinds share. They read options, call `scene` and report."""
