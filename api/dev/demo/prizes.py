"""Scenes of what supporters play for, pay with and wear."""

from api.dev.demo.clothes import SHIRT
from api.dev.demo.drawing import (
    AMBER,
    DEEP_GREEN,
    GOLD,
    GREEN,
    INK,
    LEAF,
    PAPER,
    line,
    shape,
)
from api.dev.demo.scenery import (
    PARTY,
    backdrop,
    box,
    clipped,
    confetti,
    dice,
    disc,
    football,
    moved,
    phone,
    rays,
    scene,
    words,
)

FLAME = (
    "M0-150C60-90 96-50 96 18C96 76 54 116 0 116S-96 76-96 18C-96-20-70-46-54-78"
    "C-46-50-34-40-20-36C-26-80-18-118 0-150Z"
)
STRIPES = "".join(f"M{x} 100h40v600h-40z" for x in range(174, 640, 96))
HOOPS = "".join(f"M90 {y}h620v44h-620z" for y in (420, 520, 600))
SASH = "M130 300L250 200L640 560V680H560Z"
CUFFS = "M150 318L226 380L240 364L163 297ZM650 318L574 380L560 364L637 297Z"


def quest() -> str:
    """A phone with a question and four answers, and the flame of a streak."""
    return scene(
        backdrop("#2f9465", GREEN, DEEP_GREEN, is_round=True),
        rays(600, 330, 14, PAPER, 0.05),
        moved(262, 470, words("?", 0, 0, 300, PAPER), turn=-14, opacity=0.1),
        moved(930, 560, words("?", 0, 0, 230, PAPER), turn=12, opacity=0.1),
        '<ellipse cx="620" cy="640" rx="300" ry="24" opacity=".25"/>',
        moved(600, 344, phone(_question(), PAPER), scale=1.16, turn=-5),
        football(352, 520, 84),
        _streak(842, 238),
    )


def _question() -> str:
    dots = "".join(
        disc(-64 + step * 32, -178, 11, LEAF if step < 3 else GOLD if step == 3 else "#d9e2dc")
        for step in range(5)
    )
    answers = "".join(
        box(-92, top, 184, 44, 14, fill) + box(-50, top + 16, width, 12, 6, ink)
        for top, width, fill, ink in (
            (-30, 96, "#e6ece8", "#9db0a5"),
            (28, 116, GREEN, PAPER),
            (86, 74, "#e6ece8", "#9db0a5"),
            (144, 104, "#e6ece8", "#9db0a5"),
        )
    )
    return (
        shape("M-113-238H113V-208H-113Z", GREEN)
        + dots
        + box(-92, -140, 184, 15, 7, INK)
        + box(-92, -112, 160, 15, 7, INK)
        + box(-92, -84, 96, 15, 7, INK)
        + answers
        + disc(-70, 50, 14, PAPER)
        + line("M-77 50l5 6l9-12", GREEN, 5)
    )


def _streak(x: int, y: int) -> str:
    flame = shape(FLAME, "#f0702c") + moved(0, 36, shape(FLAME, GOLD), scale=0.62)
    return moved(x, y, disc(0, -4, 158, "#0b3b26"), flame, words("5", 0, 98, 104, INK), scale=0.95)


def king() -> str:
    """A gold cup with a crown above it, on the ladder's highest step, in confetti."""
    return scene(
        backdrop("#f7c94b", "#1c8152", "#0b4a30", "#08301f", is_round=True),
        rays(600, 250, 18, GOLD, 0.12),
        confetti(90, PARTY, dice()),
        shape("M190 560H470V675H190Z", "#0c5a38"),
        shape("M730 600H1010V675H730Z", "#0c5a38"),
        shape("M190 560H470V574H190ZM730 600H1010V614H730Z", LEAF),
        shape("M440 500H760V675H440Z", "#0f6b43"),
        shape("M440 500H760V516H440Z", GOLD),
        words("2", 315, 656, 80, PAPER),
        words("3", 885, 668, 60, PAPER),
        words("1", 600, 634, 124, GOLD),
        _cup(),
        _crown(600, 98),
    )


def _cup() -> str:
    bowl = (
        "M484 176H716Q716 330 634 372Q624 378 624 396V430H576V396Q576 378 566 372Q484 330 484 176Z"
    )
    return (
        line(
            "M486 206Q404 196 412 262Q422 326 520 330M714 206Q796 196 788 262Q778 326 680 330",
            AMBER,
            24,
        )
        + shape("M526 430H674L690 500H510Z", "#6b4423")
        + shape("M520 484H680V500H520Z", "#4b2e16")
        + shape(bowl, GOLD)
        + clipped(
            "bowl",
            bowl,
            shape("M640 170H720V440H600Q660 330 640 170Z", AMBER, 'opacity=".75"'),
            shape("M510 170H536Q536 300 572 352Q510 320 510 170Z", PAPER, 'opacity=".55"'),
        )
        + box(474, 164, 252, 26, 13, "#ffd966")
        + box(560, 420, 80, 18, 9, AMBER)
        + shape("M600 226l17 36l39 5l-28 27l7 39l-35-19l-35 19l7-39l-28-27l39-5z", PAPER)
    )


def _crown(x: int, y: int) -> str:
    return moved(
        x,
        y,
        shape("M-92-40L-46 4L0-66L46 4L92-40L74 52H-74Z", "#ffd966"),
        shape("M0-66L46 4L92-40L74 52H0Z", AMBER, 'opacity=".55"'),
        box(-76, 38, 152, 22, 8, "#c98a00"),
        disc(-92, -46, 11, PAPER),
        disc(0, -72, 13, PAPER),
        disc(92, -46, 11, PAPER),
        disc(0, 18, 11, "#c8372d"),
        disc(-42, 22, 8, GREEN),
        disc(42, 22, 8, GREEN),
    )


def wallet() -> str:
    """A green wallet with notes, coins in front, and the statement that it prints."""
    return scene(
        backdrop("#fbf1d8", "#f6e3b4"),
        disc(600, 330, 292, "#f3d98f"),
        '<ellipse cx="600" cy="606" rx="330" ry="26" opacity=".16"/>',
        moved(650, 236, _statement(), turn=7),
        moved(470, 262, _note("#7cc79d", "#3d9468"), turn=-13),
        moved(520, 244, _note("#a9dcbf", "#4aa578"), turn=-4),
        _pouch(),
        _coin(330, 536, 66),
        _coin(246, 580, 48),
        _coin(874, 556, 60),
    )


def _note(fill: str, edge: str) -> str:
    return (
        box(-150, -90, 300, 260, 14, fill)
        + f'<rect x="-134" y="-74" width="268" height="228" rx="8" fill="none" stroke="{edge}" '
        'stroke-width="6"/>' + disc(0, -8, 46, edge) + words("₦", 0, 18, 68, PAPER, "Noto Sans")
    )


def _statement() -> str:
    rows = "".join(
        box(-82, top, 84, 12, 6, "#c2cbc6") + box(48, top, 40, 12, 6, fill)
        for top, fill in ((-70, GREEN), (-40, INK), (-10, GREEN), (20, INK), (50, GREEN))
    )
    return (
        shape("M-112-170H112V150H-112Z", PAPER)
        + shape("M112-170V150H98V-170Z", INK, 'opacity=".06"')
        + box(-82, -140, 110, 20, 10, INK)
        + line("M-82-94H88", "#d9dfdb", 4)
        + rows
    )


def _pouch() -> str:
    body = "M330 330H838Q874 330 874 366V562Q874 598 838 598H366Q330 598 330 562Z"
    return (
        shape(body, GREEN)
        + clipped(
            "pouch",
            body,
            shape("M330 330H874V362H330Z", DEEP_GREEN),
            shape("M330 540H874V600H330Z", INK, 'opacity=".12"'),
        )
        + '<path d="M350 382H854V578H350Z" fill="none" stroke="#52b788" stroke-width="4" '
        'stroke-dasharray="14 10" stroke-linecap="round"/>'
        + box(716, 424, 184, 92, 46, DEEP_GREEN)
        + disc(764, 470, 28, GOLD)
        + disc(764, 470, 15, AMBER)
        + moved(
            540,
            476,
            shape("M-64-52L-32-18L0-66L32-18L64-52L50 46H-50Z", GOLD),
            shape("M0-66L32-18L64-52L50 46H0Z", AMBER, 'opacity=".6"'),
        )
    )


def _coin(x: int, y: int, radius: int) -> str:
    size = round(radius * 1.1)
    return (
        disc(x + 5, y + 6, radius, "#b87a12")
        + disc(x, y, radius, GOLD)
        + f'<circle cx="{x}" cy="{y}" r="{radius - 10}" fill="none" stroke="{AMBER}" '
        'stroke-width="5"/>' + words("₦", x, y + size * 0.37, size, "#8a5a00", "Noto Sans")
    )


def jerseys() -> str:
    """Three shirts on a rail, and a parcel that is on its way."""
    return scene(
        backdrop("#dcefe4", "#b9dcc9"),
        shape("M0 560H1200V675H0Z", "#8fc3a8"),
        shape("M0 560H1200V568H0Z", "#7ab396"),
        line("M150 88H1050", "#33443c", 14),
        line("M190 88V640M1010 88V640", "#33443c", 14),
        '<ellipse cx="600" cy="614" rx="470" ry="22" opacity=".12"/>',
        moved(330, 110, _hung(PAPER, GREEN, shape(HOOPS, GREEN), _number("7", INK)), scale=0.9),
        moved(870, 110, _hung(GOLD, INK, shape(SASH, INK), _number("9", PAPER)), scale=0.9),
        moved(
            600,
            110,
            _hung(GREEN, PAPER, shape(STRIPES, PAPER, 'opacity=".16"'), _number("10", GOLD)),
            scale=1.16,
        ),
        moved(846, 556, _parcel(), scale=0.94),
    )


def _number(text: str, fill: str) -> str:
    return words(text, 400, 520, 200, fill)


def _hung(fill: str, second: str, marks: str, number: str) -> str:
    """Return a shirt on a hanger; ``number`` is the whole text on it."""
    return (
        line("M0-22V6M-110 60Q0-20 110 60", "#7a5a36", 8)
        + line("M0-22q18-4 14-20t-26-2", "#55635b", 6)
        + moved(
            -240,
            -76,
            shape(SHIRT, fill),
            clipped(
                f"shirt{fill[1:]}",
                SHIRT,
                marks,
                shape(CUFFS, second),
                shape(
                    "M546 346L574 380L650 318L600 236L556 300V660H470Q540 520 546 346Z",
                    INK,
                    'opacity=".12"',
                ),
            ),
            line("M254 346V300M546 346V300", INK, 5, 'opacity=".25"'),
            line("M322 168Q400 236 478 168", second, 20),
            number,
            scale=0.6,
        )
    )


def _parcel() -> str:
    return (
        shape("M-110-70H110V80H-110Z", "#c99763")
        + shape("M40-70H110V80H40Z", INK, 'opacity=".1"')
        + shape("M-110-70L-84-104H136L110-70Z", "#dcb384")
        + shape("M110-70L136-104V44L110 80Z", "#a97744")
        + shape("M-22-70L4-104H36L14-70V-20H-22Z", GOLD)
        + box(-92, 16, 74, 46, 5, PAPER)
        + line("M-80 32H-34M-80 46H-50", "#9aa39d", 5)
        + shape("M66-4c-28 0-40 20-40 36c0 26 40 60 40 60s40-34 40-60c0-16-12-36-40-36z", "#c8372d")
        + disc(66, 32, 14, PAPER)
    )
