"""Ways out of a Network."""


class Writing:
    """Other forms."""
