"""Finds values that are probably the same: by a key that ignores how they are written, or by few edits."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from jellyfish import metaphone
from rapidfuzz.distance import Levenshtein

Cluster = tuple[str, ...]
"""Values that count as one, the most frequent first."""


def fingerprint(value: str) -> str:
    """Return the words of a text, without order, repetition, capitals, accents and punctuation.

    >>> fingerprint("  Müller, Karl. ") == fingerprint("karl muller")
    True
    """
    return " ".join(sorted(set(_plain(value).split())))


def ngram_fingerprint(value: str, size: int = 2) -> str:
    """Return the pairs of letters of a text, which ignores spaces and small repetitions as well.

    >>> ngram_fingerprint("Krzysztof") == ngram_fingerprint("krzysz tof")
    True
    """
    letters = _plain(value).replace(" ", "")
    return " ".join(sorted({letters[i : i + size] for i in range(max(1, len(letters) - size + 1))}))


def phonetic(value: str) -> str:
    """Return how a text sounds in English; words with digits stay as they are.

    >>> phonetic("Catherine Smith") == phonetic("Katherine Smyth")
    True
    """
    return " ".join(word if _DIGIT.search(word) else metaphone(word) or word for word in _plain(value).split())


KEYS: Mapping[str, Callable[[str], str]] = {
    "fingerprint": fingerprint,
    "ngram": ngram_fingerprint,
    "phonetic": phonetic,
}


def by_key(counts: Mapping[str, int], key: Callable[[str], str]) -> list[Cluster]:
    """Return the clusters of values with the same key; values with an empty key are in none."""
    groups: dict[str, list[str]] = defaultdict(list)
    for value in counts:
        groups[key(value)].append(value)
    return _clusters((members for key_text, members in groups.items() if key_text), counts)


def by_distance(counts: Mapping[str, int], radius: int) -> list[Cluster]:
    """Return the clusters of values that up to `radius` edits turn into one another, in chains; case does not count.

    Values with different digits never count as the same. Only values that share a piece are compared: if a text is cut
    into radius + 1 pieces, `radius` edits leave one piece as it was.
    """
    plain = {value: _spaced(value) for value in counts}
    parent = {value: value for value in counts}
    for one, other in _candidates(plain, radius):
        near = Levenshtein.distance(plain[one], plain[other], score_cutoff=radius) <= radius
        if near and _DIGITS.findall(one) == _DIGITS.findall(other):
            parent[_root(parent, one)] = _root(parent, other)
    groups: dict[str, list[str]] = defaultdict(list)
    for value in counts:
        groups[_root(parent, value)].append(value)
    return _clusters(groups.values(), counts)


_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_SPACES = re.compile(r"\s+")
_NO_WORD = re.compile(r"[^\w\s]|_")


def _plain(value: str) -> str:
    decomposed = unicodedata.normalize("NFKD", value.casefold())
    bare = "".join(each for each in decomposed if not unicodedata.combining(each))
    return _SPACES.sub(" ", _NO_WORD.sub("", bare)).strip()


def _spaced(value: str) -> str:
    return _SPACES.sub(" ", value.casefold()).strip()


def _clusters(groups: Iterable[Sequence[str]], counts: Mapping[str, int]) -> list[Cluster]:
    ranked = (tuple(sorted(group, key=lambda value: (-counts[value], value))) for group in groups if len(group) > 1)
    return sorted(ranked)


def _root(parent: dict[str, str], value: str) -> str:
    while parent[value] != value:
        # Path halving keeps the chains to the root short.
        parent[value] = parent[parent[value]]
        value = parent[value]
    return value


def _candidates(plain: Mapping[str, str], radius: int) -> Iterator[tuple[str, str]]:
    """Yield the pairs that may be near; a text too short to be cut has an empty piece, which any text shares."""
    index: dict[tuple[int, int, str], list[str]] = defaultdict(list)
    for value in sorted(plain, key=lambda each: (len(plain[each]), each)):
        words = plain[value]
        met: set[str] = set()
        for length in range(max(0, len(words) - radius), len(words) + 1):
            for number, (start, stop) in enumerate(_pieces(length, radius)):
                for shift in range(-radius, radius + 1):
                    if start + shift >= 0 and stop + shift <= len(words):
                        met.update(index.get((length, number, words[start + shift : stop + shift]), ()))
        yield from ((value, other) for other in met)
        for number, (start, stop) in enumerate(_pieces(len(words), radius)):
            index[len(words), number, words[start:stop]].append(value)


def _pieces(length: int, radius: int) -> list[tuple[int, int]]:
    bounds = [length * number // (radius + 1) for number in range(radius + 2)]
    return [(bounds[number], bounds[number + 1]) for number in range(radius + 1)]
