"""The one exception of this module."""


class Error(Exception):
    """Results that are not there, are damaged, or are of another version. Its text is one line."""
