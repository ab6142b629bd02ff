# SPDX-License-Identifier: MIT
"""The fixture files, each with what the specification says about it; scripts/make_fixtures.py writes them."""
