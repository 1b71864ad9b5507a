"""The demo products that are not worn."""

import math

from api.dev.demo.drawing import (
    AMBER,
    BLUE,
    GOLD,
    GREEN,
    INK,
    NAVY,
    PAPER,
    RED,
    SKY,
    badge,
    cut_to,
    drawing,
    line,
    number,
    shape,
)


def mug() -> str:
    """An enamel mug with a football on it and steam above."""
    return drawing(
        "#ece6da",
        "#ddd3bd",
        line("M560 356q120-10 110 104q-10 110-126 104", PAPER, 40),
        line("M560 356q120-10 110 104q-10 110-126 104", INK, 40, 'opacity=".08"'),
        shape("M220 290H572L552 630Q548 668 510 668H282Q244 668 240 630Z", PAPER),
        shape("M500 290H572L552 630Q548 668 510 668H450Q494 640 496 590Z", INK, 'opacity=".1"'),
        shape("M220 290H572L570 326H222Z", GREEN),
        '<ellipse cx="396" cy="290" rx="176" ry="30" fill="#5b3a22"/>',
        line("M222 290a174 29 0 0 0 348 0a174 29 0 0 0-348 0", GREEN, 12),
        '<circle cx="390" cy="492" r="96" fill="#0a6239"/>',
        number("12", 390, 538, 124, GOLD),
        line(
            "M330 220q-30-40 0-70t0-70M400 212q-30-40 0-70t0-62M470 220q-30-40 0-70t0-70",
            PAPER,
            14,
            'opacity=".8"',
        ),
        shadow=(680, 220),
    )


def water_bottle() -> str:
    """A sports bottle with a grip, a scale and a gold cap."""
    body = (
        "M292 286Q300 246 346 238H454Q500 246 508 286V380Q486 410 508 440V660"
        "Q504 700 464 700H336Q296 700 292 660V440Q314 410 292 380Z"
    )
    return drawing(
        "#dceaf9",
        "#bcd7f5",
        shape("M370 92h60v50h-60z", INK),
        shape("M352 132H448L470 214H330Z", AMBER),
        shape("M322 206H478V246H322Z", GOLD),
        shape(body, SKY),
        cut_to(
            body,
            shape("M280 470H520V720H280Z", BLUE),
            shape("M460 220H520V720H448Q470 500 460 220Z", NAVY, 'opacity=".35"'),
        ),
        line("M334 290V364M334 448V640", PAPER, 14, 'opacity=".7"'),
        line("M474 500h26M474 540h26M474 580h26M474 620h26", PAPER, 6),
        badge(377, 540, GOLD, NAVY),
        shadow=(716, 130),
    )


def spot(turn: float, distance: float) -> str:
    """Return the point at ``turn`` (radians from the top) and ``distance`` from 400,400."""
    return f"{400 + distance * math.sin(turn):.0f} {400 - distance * math.cos(turn):.0f}"


def ball_patches() -> str:
    """Return the dark patches of a ball: a pentagon in the middle, five more at the rim."""
    steps = [2 * math.pi * step / 5 for step in range(5)]
    path = "M" + "L".join(spot(step, 84) for step in steps) + "Z"
    corners = ((-0.28, 196), (0.0, 160), (0.28, 196), (0.2, 250), (-0.2, 250))
    for step in steps:
        path += "M" + "L".join(spot(step + turn, far) for turn, far in corners) + "Z"
    return path


def ball_seams() -> str:
    """Return the seams between the patches."""
    path = ""
    for step in (2 * math.pi * step / 5 for step in range(5)):
        between = step + math.pi / 5
        path += f"M{spot(step, 84)}L{spot(step, 166)}"
        path += f"M{spot(step + 0.28, 196)}L{spot(between, 188)}L{spot(between, 240)}"
        path += f"M{spot(step + 2 * math.pi / 5 - 0.28, 196)}L{spot(between, 188)}"
    return path


def football() -> str:
    """A match ball: pentagons and seams, lit from the left."""
    outline = "M164 400a236 236 0 1 0 472 0a236 236 0 1 0-472 0"
    return drawing(
        "#dff0e4",
        "#9fd3b3",
        shape(outline, PAPER),
        cut_to(
            outline,
            line(ball_seams(), INK, 7),
            shape(ball_patches(), INK),
            shape("M400 164A236 236 0 0 1 400 636A330 330 0 0 0 400 164", INK, 'opacity=".16"'),
        ),
        shadow=(676, 190),
    )


def flag() -> str:
    """A hooped flag in the wind."""
    cloth = "M236 150Q330 90 440 150T664 150V470Q560 530 440 470T236 470Z"
    waves = "".join(
        f"M230 {y}Q330 {y - 60} 440 {y}T670 {y}V{y + 54}Q560 {y + 114} 440 {y + 54}T230 {y + 54}Z"
        for y in (204, 312, 420)
    )
    return drawing(
        "#f4ead2",
        "#ead6a6",
        line("M222 120V700", "#7a4a21", 22),
        line("M217 130V690", PAPER, 5, 'opacity=".4"'),
        '<circle cx="222" cy="108" r="22" fill="#e09f1f"/>',
        shape(cloth, PAPER),
        cut_to(
            cloth,
            shape(waves, GREEN),
            shape("M400 80H470Q420 300 470 540H400Q360 300 400 80Z", INK, 'opacity=".12"'),
            shape("M600 80H700V540H600Q560 300 600 80Z", INK, 'opacity=".1"'),
        ),
        '<circle cx="440" cy="310" r="74" fill="#ffc62e"/>',
        shape("M400 340v-54l22 26l18-40l18 40l22-26v54z", INK),
        shadow=(712, 110),
    )


def vuvuzela() -> str:
    """A long horn with hoops, pointing up, and the noise it makes."""
    horn = "M150 640L172 666L566 318Q610 296 668 306Q640 214 540 150Q544 210 512 250Z"
    return drawing(
        "#fde4c8",
        "#f9c793",
        shape(horn, GOLD),
        cut_to(
            horn,
            shape("M240 520L300 590L352 544L292 474ZM380 396L440 466L492 420L432 350Z", RED),
            shape("M172 666L566 318Q610 296 668 306L660 330L560 360L180 700Z", INK, 'opacity=".2"'),
        ),
        '<ellipse cx="604" cy="228" rx="26" ry="100" fill="#8a4700" '
        'transform="rotate(-40 604 228)"/>',
        shape("M132 634q20-24 42-6l16 18q14 22-8 40q-22 8-36-10z", RED),
        line("M664 164q34 8 56 34M640 110q70 10 116 66M690 250q20 4 34 18", RED, 14),
        shadow=(700, 220),
    )


def boot_bag() -> str:
    """A drawstring bag with the print of a boot's studs."""
    bag = "M232 250Q400 210 568 250L606 640Q604 688 556 692H244Q196 688 194 640Z"
    studs = "".join(
        f"M{x} {y}m-17 0a17 17 0 1 0 34 0a17 17 0 1 0-34 0"
        for x, y in (
            (352, 372),
            (352, 426),
            (448, 372),
            (448, 426),
            (370, 486),
            (430, 486),
            (364, 584),
            (436, 584),
        )
    )
    return drawing(
        "#e6e1ee",
        "#cfc5e2",
        line("M236 250Q150 430 206 640M564 250Q650 430 594 640", AMBER, 12),
        shape(bag, "#4b2e83"),
        shape(
            "M500 236Q540 242 568 250L606 640Q604 688 556 692H470Q530 500 500 236Z",
            INK,
            'opacity=".25"',
        ),
        shape("M232 250Q400 210 568 250L556 176Q400 140 244 176Z", "#6a48a8"),
        line(
            "M290 240L298 170M340 230L344 162M400 226V158M460 230L456 162M510 240L502 170",
            INK,
            5,
            'opacity=".35"',
        ),
        line("M240 246Q400 206 560 246", GOLD, 14),
        shape(
            "M400 322Q486 326 484 420Q482 470 462 508Q456 540 464 580"
            "Q462 640 400 642Q338 640 336 580Q344 540 338 508Q318 470 316 420Q314 326 400 322Z",
            GOLD,
        ),
        shape(studs, "#4b2e83"),
        shadow=(706, 220),
    )
