"""Which questions say nearly the same."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import ceil

from api.questions.rules.reading import normalise

NEARLY_THE_SAME = 0.6  # of two questions' trigrams, what both have


def near_duplicates(
    wanted: Mapping[str, str], others: Mapping[str, str]
) -> Iterator[tuple[str, str, float]]:
    """Return pairs of a wanted question and another that say nearly the same, by their slugs.

    The other one is of ``others`` or an earlier wanted one; the number is the share of trigrams
    that they have in common. Two questions of which so much is in common share one of their rarest
    trigrams, so that only those are looked up.
    """
    texts = {**others, **wanted}
    trigrams = {slug: _trigrams(text) for slug, text in texts.items()}
    frequency: dict[str, int] = defaultdict(int)
    for found in trigrams.values():
        for trigram in found:
            frequency[trigram] += 1
    index: dict[str, list[str]] = defaultdict(list)
    for slug, found in trigrams.items():
        by_rarity = sorted(found, key=lambda trigram: (frequency[trigram], trigram))
        rarest = by_rarity[: len(found) - ceil(NEARLY_THE_SAME * len(found)) + 1]
        if slug in wanted:
            candidates = {other for trigram in rarest for other in index[trigram]}
            for other in sorted(candidates):
                share = _similarity(found, trigrams[other])
                if share >= NEARLY_THE_SAME:
                    yield slug, other, share
        for trigram in rarest:
            index[trigram].append(slug)


def _similarity(one: frozenset[str], other: frozenset[str]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def _trigrams(text: str) -> frozenset[str]:
    words = (f"  {word} " for word in normalise(text).split())
    return frozenset(word[at : at + 3] for word in words for at in range(len(word) - 2))
