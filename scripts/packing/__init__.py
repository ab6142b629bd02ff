# SPDX-License-Identifier: MIT
"""What people install, made from a checkout and the installed build of each platform.

`make_packages.py` is its command. The same files give the same bytes: they are sorted, and dates and rights
are fixed.
"""
