# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches on many machines, from the Python package: `python -m animbridge.farm`. docs/scale.md says how."""
