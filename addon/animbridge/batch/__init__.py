# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files in one run, without a window."""
