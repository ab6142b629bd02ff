# SPDX-License-Identifier: MIT
"""Batches on many machines, from the Python package: `python -m animbridge.farm`. docs/scale.md says how."""
