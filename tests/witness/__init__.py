# SPDX-License-Identifier: MIT
"""A second, independent implementation of the formats: Second Life's `.anim`, BVH, Oni's OBAN, MRTK 2.

Written from the specification alone, in another language and without a look at the native code, so that
an agreement of the two means something. "spec 1.9" in a comment is a section of the format's specification.
Slow and plain on purpose: nothing here is meant for users.
"""
