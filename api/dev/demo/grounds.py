"""Scenes in and around a ground."""

from api.dev.demo.drawing import GOLD, GREEN, LEAF, PAPER, line, shape
from api.dev.demo.scenery import (
    DUSK,
    GLOW,
    NIGHT,
    backdrop,
    box,
    crowd,
    dice,
    disc,
    floodlight,
    green_flag,
    lights,
    moved,
    phone,
    pitch,
    scene,
    words,
)

SHIRTS = (GREEN, GREEN, LEAF, PAPER, "#0f7a48", "#e9e2cf", GOLD)


def match_night() -> str:
    """A full ground at dusk: two masts, the far stand, and the score above it."""
    return scene(
        lights(),
        backdrop(NIGHT, "#174a4a", "#b4763a", GLOW),
        shape("M0 300V236L180 190H1020L1200 236V300Z", "#101c18"),
        crowd(240, 3, 60, SHIRTS, dice()),
        shape("M0 236L180 184H1020L1200 236V262L1010 212H190L0 262Z", "#1d332a"),
        shape("M0 262L190 212H1010L1200 262V268L1010 218H190L0 268Z", GOLD),
        _scoreboard(),
        shape("M0 396H1200V428H0Z", "#0d2a1e"),
        *(
            shape(f"M{x} 400h186v24h-186z", fill)
            for x, fill in zip(range(6, 1200, 200), (GREEN, GOLD) * 3, strict=True)
        ),
        pitch(428),
        floodlight(130, 420, 40, 260),
        floodlight(1070, 420, 40, -260),
    )


def _scoreboard() -> str:
    return (
        line("M500 210V150M700 210V150", "#22352d", 12)
        + box(414, 40, 372, 142, 14, "#0a1310")
        + box(424, 50, 352, 122, 8, "#13221b")
        + shape("M444 68h66v86h-66z", GREEN)
        + shape("M690 68h66v86h-66z", GOLD)
        + words("2", 558, 152, 112, PAPER)
        + words(":", 600, 144, 90, GOLD)
        + words("1", 642, 152, 112, PAPER)
    )


def low_data() -> str:
    """A raised phone in the packed stand: one bar of signal is enough for the match."""
    return scene(
        lights(),
        '<linearGradient id="dim" x2="0" y2="1"><stop offset="0" stop-color="#0b1a2b" '
        'stop-opacity=".62"/><stop offset="1" stop-color="#0b1a2b" stop-opacity=".2"/>'
        "</linearGradient>",
        backdrop(NIGHT, DUSK, "#2f7a57"),
        disc(250, 96, 190, "url(#halo)"),
        disc(950, 96, 190, "url(#halo)"),
        crowd(318, 6, 76, SHIRTS, dice()),
        shape("M0 318H1200V675H0Z", "url(#dim)"),
        green_flag(170, 350, 1.3, -8),
        green_flag(372, 300, 1.0, 6),
        green_flag(840, 296, 1.05, -5),
        green_flag(1010, 360, 1.4, 8),
        _raised_hand(),
        moved(600, 262, phone(_live_screen(), "#0d1f17"), scale=0.92, turn=-4),
        _thumb(),
    )


def _live_screen() -> str:
    signal = "".join(
        box(34 + step * 16, -198 - step * 8, 11, 10 + step * 8, 3, GOLD if step == 0 else "#41604f")
        for step in range(4)
    )
    stripes = "".join(f"M{x} -52h28v180h-28z" for x in range(-113, 113, 56))
    field = (
        shape("M-113-52H113V128H-113Z", "#1c7a48")
        + shape(stripes, "#23905a")
        + line("M-98-38H98V114H-98ZM0-38V114", PAPER, 4)
        + f'<circle cx="0" cy="38" r="34" fill="none" stroke="{PAPER}" stroke-width="4"/>'
        + line("M-98 2H-64V74H-98M98 2H64V74H98", PAPER, 4)
        + disc(46, 16, 8, GOLD)
    )
    return (
        signal
        + box(-95, -174, 190, 104, 16, "#1a3a2b")
        + words("1 : 0", 0, -94, 84, PAPER)
        + field
        + box(-95, 148, 120, 14, 7, "#8fb3a2")
        + box(-95, 176, 176, 14, 7, "#4d7262")
        + box(-95, 204, 90, 14, 7, "#4d7262")
    )


def _raised_hand() -> str:
    skin = "#5d3a24"
    return shape("M500 675L560 480Q610 440 664 486L716 675Z", GREEN) + shape(
        "M546 520Q520 440 486 400Q476 376 500 372Q560 420 690 420Q716 400 724 372Q744 372 740 400"
        "Q720 470 674 520Z",
        skin,
    )


def _thumb() -> str:
    skin, shade = "#6b442b", "#4a2c1b"
    fingers = "".join(box(696 - step * 2, 330 + step * 38, 46, 32, 16, skin) for step in range(4))
    return (
        fingers
        + shape("M480 470Q468 400 484 350Q500 330 514 352Q516 400 540 450Z", skin)
        + line("M492 362q6-12 14 0", shade, 3)
    )
