"""English phrases for numbers and nouns: plurals and articles."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where needed.

    >>> counted(1, "row"), counted(0, "row"), counted(12_000, "row")
    ('1 row', '0 rows', '12,000 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article, for the beginning of a sentence.

    >>> with_article("sql cell"), with_article("impute cell"), with_article("one_hot cell"), with_article("union cell")
    ('A sql cell', 'An impute cell', 'A one_hot cell', 'A union cell')
    """
    begins_with_consonant = noun.startswith(("one", "uni")) or noun[:1] not in "aeiou"
    return f"{'A' if begins_with_consonant else 'An'} {noun}"
