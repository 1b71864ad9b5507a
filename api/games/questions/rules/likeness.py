"""Finds questions with nearly the same wording."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from math import ceil

from api.games.questions.rules.reading import normalise

NEARLY_THE_SAME = 0.6  # share of the trigrams that two questions have in common
MAX_COMPARISONS = 400_000  # per file


class Comparison:
    """Finds pairs of a wanted question and another with nearly the same wording.

    The other one is from ``others`` or an earlier wanted one. The work is bounded: after ``limit``
    index lookups ``is_complete`` is False and no further pair is found. ``count`` is the number of
    lookups; each leads to at most one comparison.
    """

    def __init__(
        self, wanted: Mapping[str, str], others: Mapping[str, str], limit: int = MAX_COMPARISONS
    ) -> None:
        self._wanted = wanted
        self._texts = {**others, **wanted}
        self._limit = limit
        self.count = 0
        self.is_complete = True

    def pairs(self) -> Iterator[tuple[str, str, float]]:
        """Return the pairs by their slugs, with the share of trigrams in common.

        Two questions above the threshold share one of their rarest trigrams, so only those are
        looked up.
        """
        trigrams = {slug: _trigrams(text) for slug, text in self._texts.items()}
        frequency = Counter(chain.from_iterable(trigrams.values()))
        index: dict[str, list[str]] = defaultdict(list)
        for slug, found in trigrams.items():
            by_rarity = sorted(found, key=lambda trigram: (frequency[trigram], trigram))
            rarest = by_rarity[: len(found) - ceil(NEARLY_THE_SAME * len(found)) + 1]
            candidates = self._candidates(index, rarest) if slug in self._wanted else ()
            for other in sorted(candidates):
                share = _similarity(found, trigrams[other])
                if share >= NEARLY_THE_SAME:
                    yield slug, other, share
            if not self.is_complete:
                return
            for trigram in rarest:
                index[trigram].append(slug)

    def _candidates(self, index: Mapping[str, list[str]], rarest: list[str]) -> set[str]:
        found: set[str] = set()
        for trigram in rarest:
            known = index[trigram]
            left = self._limit - self.count
            self.is_complete = len(known) <= left
            found.update(islice(known, left))
            self.count += min(len(known), left)
            if not self.is_complete:
                break
        return found


def _similarity(one: frozenset[str], other: frozenset[str]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def _trigrams(text: str) -> frozenset[str]:
    words = (f"  {word} " for word in normalise(text).split())
    return frozenset(word[at : at + 3] for word in words for at in range(len(word) - 2))
