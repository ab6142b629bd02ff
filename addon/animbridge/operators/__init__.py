# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user sees: operators and their menu entries. They read options, call `scene` and report."""
