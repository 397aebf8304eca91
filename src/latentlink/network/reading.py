"""Ways into a Network."""


class Reading:
    """Constructors from other forms."""
