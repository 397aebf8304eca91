"""What can go wrong, said in full sentences: what was found, what was expected, what to do."""

__all__ = ["DataWarning", "IncompatibleError", "InputError", "LatentLinkError"]


class LatentLinkError(Exception):
    """Every error that this package raises on purpose."""


class InputError(LatentLinkError, ValueError):
    """Data that cannot be read or make no sense; the message has the place and the value."""


class IncompatibleError(LatentLinkError, ValueError):
    """A method that does not fit the data or another setting; the message names both."""


class DataWarning(UserWarning):
    """Data that can be worked on, but hardly mean what the user hopes."""
