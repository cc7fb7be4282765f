"""How many of something, as English says it."""


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(0, "row"), counted(12_000, "row")
    ('1 row', '0 rows', '12,000 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
