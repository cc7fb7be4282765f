"""How many of something, and which, as English says it."""


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(0, "row"), counted(12_000, "row")
    ('1 row', '0 rows', '12,000 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def with_article(noun: str) -> str:
    """A noun with its article, at the beginning of a sentence.

    >>> with_article("sql cell"), with_article("impute cell"), with_article("one_hot cell"), with_article("union cell")
    ('A sql cell', 'An impute cell', 'A one_hot cell', 'A union cell')
    """
    begins_with_consonant = noun.startswith(("one", "uni")) or noun[:1] not in "aeiou"
    return f"{'A' if begins_with_consonant else 'An'} {noun}"
