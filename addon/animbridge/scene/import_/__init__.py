# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes Actions of documents."""
