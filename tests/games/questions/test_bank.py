"""The shipped bank: the promises that can be checked automatically."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest
from api.dev.demo.clubs import CLUBS
from api.games.questions.enums import QuestionKind
from api.games.questions.rules import reading
from api.games.questions.rules.reading import Entry
from api.games.questions.service.importing import shipped_bank

READING = reading.read_files(shipped_bank())
BANK = READING.entries
GAMES = (QuestionKind.TRIVIA, QuestionKind.BATTLE)
VISITORS = "visitors"
CLUB_TOPIC = "clubs"
TOPICS = {
    *("africa-cup", "caf-clubs", "clubs", "european-cups", "laws-of-the-game"),
    *("nigeria-league", "olympic-and-youth", "premier-league", "stadiums-and-places"),
    *("super-eagles", "super-falcons", "womens-world-cup", "world-cup"),
}
# Words of sentences that are true now and false next season.
STALE = re.compile(
    r"\b(now|nowadays|today|currently|current|latest|recent|recently|reigning|still|ever|so far|"
    r"to date|at present|this (season|year|month)|last (season|year|month)|record holder|"
    r"all[- ]time|youngest|oldest|(has|have) (won|scored|played in)|most (titles|goals|caps))\b",
    re.IGNORECASE,
)
# Subjects that the bank avoids.
UNWELCOME = re.compile(
    r"\b(bet|bets|betting|odds|bookmakers?|wives|wife|girlfriend|husband|divorced?|arrested|"
    r"scandals?|salary|wages|transfer fee|million|years old|aged)\b",
    re.IGNORECASE,
)
NO_ANSWER = re.compile(r"\b(all|none|both) of (the above|these|them)\b", re.IGNORECASE)
SMALL_WORDS = frozenset(
    (
        *("a", "an", "the", "of", "in", "at", "to", "for", "on", "by", "with", "from", "and", "or"),
        *("who", "whom", "whose", "which", "what", "where", "when", "how", "did", "do", "does"),
        *("was", "were", "is", "are", "it", "its", "his", "her", "their", "that", "this", "s"),
        *("after", "before", "against"),
    )
)


def texts(entry: Entry) -> Iterable[str]:
    return (entry.question, entry.explanation, *entry.options)


def right(entry: Entry) -> str:
    return entry.options[entry.right_option]


def content_words(question: str) -> frozenset[str]:
    return frozenset(reading.normalise(question).split()) - SMALL_WORDS


def asks_the_same(one: Entry, other: Entry) -> bool:
    """Return whether two entries have the same answer, the same figures and similar words."""
    if reading.normalise(right(one)) != reading.normalise(right(other)):
        return False
    first, second = content_words(one.question), content_words(other.question)
    figures = [{word for word in words if word.isdigit()} for words in (first, second)]
    likeness = len(first & second) / len(first | second)
    return figures[0] == figures[1] and likeness > 0.62


def entry_of(question: str, answer: str) -> Entry:
    return Entry(
        file="",
        line=0,
        slug="",
        kind=QuestionKind.TRIVIA,
        club=None,
        topic="",
        question=question,
        options=(answer, "", "", ""),
        right_option=0,
        explanation="",
        source="",
        difficulty=1,
    )


def test_no_row_of_the_bank_is_refused() -> None:
    assert READING.refusals == ()


def test_the_bank_is_large_enough_for_both_games() -> None:
    kinds = Counter(entry.kind for entry in BANK)

    assert len(BANK) >= 420
    assert kinds[QuestionKind.TRIVIA] >= 200
    assert kinds[QuestionKind.BATTLE] >= 220


@pytest.mark.parametrize("kind", GAMES)
def test_each_game_has_easy_middling_and_hard_questions(kind: QuestionKind) -> None:
    levels = Counter(entry.difficulty for entry in BANK if entry.kind is kind)

    assert set(levels) == {1, 2, 3}
    for level, lowest, highest in ((1, 0.28, 0.45), (2, 0.35, 0.48), (3, 0.15, 0.28)):
        assert lowest <= levels[level] / levels.total() <= highest
        assert levels[level] >= 40


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_each_topic_serves_both_games_in_about_equal_parts(topic: str) -> None:
    kinds = Counter(entry.kind for entry in BANK if entry.topic == topic)

    assert kinds.total() >= 25
    assert min(kinds[kind] for kind in GAMES) >= 0.4 * kinds.total()


def test_every_file_holds_the_topic_that_it_is_named_after() -> None:
    assert {entry.topic for entry in BANK} == TOPICS | {VISITORS}
    assert all(entry.file == f"{entry.topic}.csv" for entry in BANK)


def test_visitors_are_asked_easy_questions_that_no_game_asks() -> None:
    asked = [entry for entry in BANK if entry.kind is QuestionKind.VISITOR]

    assert len(asked) >= 10
    assert {entry.topic for entry in asked} == {VISITORS}
    assert {entry.club for entry in asked} == {None}
    assert max(entry.difficulty for entry in asked) <= 2


@pytest.mark.parametrize("club", [club.name for club in CLUBS if club.competition])
def test_each_club_has_questions_of_its_own_in_both_games(club: str) -> None:
    kinds = Counter(entry.kind for entry in BANK if entry.club == club)

    assert kinds.total() >= 6
    assert min(kinds[kind] for kind in GAMES) >= 3


def test_only_the_clubs_file_asks_about_one_club_and_only_about_clubs_we_know() -> None:
    assert {entry.club for entry in BANK if entry.topic != CLUB_TOPIC} == {None}
    named = {entry.club for entry in BANK if entry.topic == CLUB_TOPIC}
    assert named == {club.name for club in CLUBS if club.competition}


def test_every_slug_is_used_once() -> None:
    assert len({entry.slug for entry in BANK}) == len(BANK)


def test_a_reworded_question_counts_as_the_same() -> None:
    original = next(entry for entry in BANK if entry.slug == "wc-1950-deciding-goal")
    reworded = entry_of(
        "Who scored the deciding goal for Uruguay against Brazil at the Maracana in 1950?",
        "Alcides Ghiggia",
    )

    assert asks_the_same(original, reworded)


def test_no_fact_is_asked_twice_in_one_game_or_across_both() -> None:
    twice = [(a.slug, b.slug) for a, b in combinations(BANK, 2) if asks_the_same(a, b)]

    assert twice == []


def test_the_right_option_stands_in_each_place_about_equally_often() -> None:
    places = Counter(entry.right_option for entry in BANK)

    assert set(places) == {0, 1, 2, 3}
    assert all(0.2 <= count / len(BANK) <= 0.3 for count in places.values())


@pytest.mark.parametrize("kind", QuestionKind)
def test_length_does_not_give_the_right_option_away(kind: QuestionKind) -> None:
    entries = [entry for entry in BANK if entry.kind is kind]
    longest_count = shortest_count = 0
    for entry in entries:
        others = [len(option) for option in entry.options if option != right(entry)]
        longest_count += len(right(entry)) > max(others)
        shortest_count += len(right(entry)) < min(others)

    assert longest_count / len(entries) < 0.35
    assert shortest_count / len(entries) < 0.35


def test_no_question_contains_its_answer() -> None:
    giveaways = [
        entry.slug
        for entry in BANK
        if f" {reading.normalise(right(entry))} " in f" {reading.normalise(entry.question)} "
        and not right(entry).isdigit()
    ]

    assert giveaways == []


@pytest.mark.parametrize("pattern", [STALE, UNWELCOME, NO_ANSWER], ids=["stale", "unwelcome", "no"])
def test_no_text_goes_stale_or_off_the_pitch(pattern: re.Pattern[str]) -> None:
    found = [(entry.slug, text) for entry in BANK for text in texts(entry) if pattern.search(text)]

    assert found == []


def test_the_patterns_find_what_they_are_for() -> None:
    assert STALE.search("Who is the current champion?")
    assert STALE.search("Which club has won the most titles?")
    assert UNWELCOME.search("What was the transfer fee?")
    assert NO_ANSWER.search("All of the above")


def test_sentences_are_written_with_care() -> None:
    for entry in BANK:
        assert entry.question.endswith("?"), entry.slug
        assert entry.question[0].isupper(), entry.slug
        assert entry.explanation.endswith("."), entry.slug
        for text in (*texts(entry), entry.source):
            assert not re.search(r"  |\.\.|[\u2018\u2019\u201c\u201d]| [,.?;:]", text), (
                entry.slug,
                text,
            )


def test_every_question_names_where_its_fact_can_be_checked() -> None:
    assert all(re.search(r"[A-Z]", entry.source) for entry in BANK)
    laws = [entry for entry in BANK if entry.topic == "laws-of-the-game"]
    assert all(re.fullmatch(r"IFAB Laws of the Game, Law \d{1,2}", law.source) for law in laws)
