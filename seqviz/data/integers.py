"""The check that every generator makes of its whole numbers."""


def check_integers(**arguments: tuple[int, int]) -> None:
    """Refuse what is no integer, and what is below its least value."""
    for name, (value, least) in arguments.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} must be an integer, got {value!r}")
        if value < least:
            raise ValueError(f"{name} must be at least {least}, got {value}")
