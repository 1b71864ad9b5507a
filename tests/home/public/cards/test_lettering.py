"""Text on cards: fits its room, whatever it says, in the letters of Nigeria's languages."""

import pytest
from api.home.public.cards.colours import club_pair, contrast, readable_on, stand_of
from api.home.public.cards.lettering import (
    FOLDER,
    Setting,
    Typeface,
    has_glyph,
    set_text,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

NIGERIAN = "ẹẸọỌṣṢịỊụỤńŃǹǸṅṄɓɗƙƘƴéàÉÀ₦"


@pytest.mark.parametrize("letter", [*NIGERIAN, "\u0301", "\u0300", "…", "\u2013", "·", "'"])
def test_nigerian_letters_have_glyphs(letter: str) -> None:
    assert has_glyph(Typeface.TEXT, letter)


def test_letters_that_no_typeface_has_are_left_out() -> None:
    assert not has_glyph(Typeface.TEXT, "🔥")

    assert set_text("Goal 🔥🔥 for 中 Aba", Setting(900, 40, 20)).lines == ("Goal for Aba",)


def test_a_text_with_letters_that_the_display_face_lacks_is_set_in_the_other() -> None:
    setting = Setting(900, 40, 20, typeface=Typeface.DISPLAY)

    assert set_text("Ɓaba", setting).font.path == Typeface.TEXT.path
    assert set_text("Baba Ọṣun", setting).font.path == Typeface.DISPLAY.path


def test_every_typeface_comes_with_its_licence() -> None:
    names = sorted(path.name for path in FOLDER.iterdir())

    assert names == sorted(
        [*(face.value for face in Typeface), "noto-sans.LICENSE.txt", "big-shoulders.LICENSE.txt"]
    )
    for name in names:
        if name.endswith(".txt"):
            assert "SIL Open Font License" in (FOLDER / name).read_text(encoding="utf-8")


@given(
    text=st.text(max_size=220),
    face=st.sampled_from(Typeface),
    lines=st.integers(1, 4),
    upper=st.booleans(),
)
def test_no_text_leaves_its_room(text: str, face: Typeface, lines: int, upper: bool) -> None:
    setting = Setting(300, 60, 30, lines, face, is_upper=upper)

    block = set_text(text, setting)

    assert block.width <= 301
    assert len(block.lines) <= lines


def test_a_text_shrinks_before_it_is_shortened() -> None:
    short = set_text("Rangers", Setting(330, 62, 32, 3))
    long = set_text("Rangers International of Enugu", Setting(330, 62, 32, 3))
    endless = set_text("Rangers " * 30, Setting(330, 62, 32, 3))

    assert short.font.size == 62
    assert 32 < long.font.size < 62
    assert "…" not in "".join(long.lines)
    assert endless.font.size == 32
    assert endless.lines[-1].endswith("…")


def test_lines_are_about_equally_long() -> None:
    block = set_text("Enyimba edge Rangers in Aba to go four clear", Setting(700, 50, 40, 3))

    widths = [block.font.getlength(line) for line in block.lines]
    assert len(widths) == 2
    assert min(widths) > max(widths) * 0.75


@pytest.mark.parametrize("colour", ["#FFFFFF", "#000000", "#FFC62E", "#1B57B0", "#777777"])
def test_text_is_readable_on_every_colour(colour: str) -> None:
    assert contrast(readable_on(colour), colour) >= 3  # of large text, by WCAG


COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06X}")


@settings(deadline=None)
@given(first=COLOURS, second=COLOURS)
@example(first="#777777", second="#787878")
@example(first="#008080", second="#FFFFFF")
def test_text_of_any_size_is_readable_on_the_stand_of_every_club(first: str, second: str) -> None:
    stand = stand_of((first, second))

    assert contrast(stand.text, stand.ground) >= 4.5
    assert contrast(stand.text, stand.shade) >= 4.5
    assert contrast(first, stand.ground) < 1.2  # still the club's colour


def test_a_stand_is_in_the_clubs_own_colours() -> None:
    stand = stand_of(("#C8102E", "#FFFFFF"))

    assert (stand.ground, stand.text, stand.stripe) == ("#C8102E", "#FFFFFF", "#FFFFFF")


def test_invalid_colours_are_the_products() -> None:
    assert club_pair(("#1b57b0", "#fff000")) == ("#1B57B0", "#FFF000")
    assert club_pair(("red", "#FFFFFF")) == ("#0A6239", "#FFC62E")
