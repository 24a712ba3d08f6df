# SPDX-License-Identifier: MIT OR Apache-2.0


class Refused(Exception):
    """An argument that cannot be used; the text is one line that says what was expected."""
