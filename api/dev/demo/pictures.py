"""``python -m api.dev.demo.pictures``: draw the demo products as small flat SVG files.

Every picture is a square of 800 units: a tinted ground with a disc, a shadow, and the product in
three tones. The files are committed; a test compares them with what is drawn here.
"""

import math
from collections.abc import Callable
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "pictures"
INK = "#0f1a15"
PAPER = "#fffdf6"
GREEN, DEEP_GREEN, LEAF = "#0a6239", "#074529", "#52b788"
GOLD, AMBER = "#ffc62e", "#e09f1f"
BLUE, NAVY, SKY = "#1b57b0", "#123a78", "#8ab8ff"
RED, WINE = "#c8372d", "#8f1f19"
SLATE = "#3a4a57"

SHIRT = (
    "M322 168Q400 236 478 168L556 204Q606 230 650 318L574 380L546 346V642Q400 668 254 642"
    "V346L226 380L150 318Q194 230 244 204Z"
)
LONG_SHIRT = (
    "M322 160Q400 214 478 160L560 198Q616 226 648 350L700 612L618 634L556 402V650Q400 676 244 650"
    "V402L182 634L100 612L152 350Q184 226 240 198Z"
)


def drawing(ground: str, disc: str, *parts: str, shadow: tuple[int, int] = (716, 210)) -> str:
    """Return a whole picture; ``shadow`` is the height and half-width of the one on the floor."""
    floor, half_width = shadow
    return "".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800">',
            f'<path fill="{ground}" d="M0 0h800v800H0z"/>',
            f'<circle cx="400" cy="392" r="318" fill="{disc}"/>',
            f'<ellipse cx="400" cy="{floor}" rx="{half_width}" ry="20" opacity=".14"/>',
            *parts,
            "</svg>\n",
        )
    )


def shape(path: str, fill: str, more: str = "") -> str:
    """Return a filled path."""
    return f'<path d="{path}" fill="{fill}"{" " + more if more else ""}/>'


def line(path: str, colour: str, width: int, more: str = "") -> str:
    """Return a stroked path with round ends."""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
        f'stroke-linecap="round" stroke-linejoin="round"{" " + more if more else ""}/>'
    )


def cut_to(outline: str, *parts: str) -> str:
    """Return ``parts`` visible only inside ``outline``."""
    return (
        f'<clipPath id="c"><path d="{outline}"/></clipPath>'
        f'<g clip-path="url(#c)">{"".join(parts)}</g>'
    )


def bars(xs: range, width: int, colour: str, more: str = "") -> str:
    """Return upright bars at the places ``xs``."""
    return shape("".join(f"M{x} 100h{width}v600h-{width}z" for x in xs), colour, more)


def hoops(ys: range, height: int, colour: str, more: str = "") -> str:
    """Return level bars at the heights ``ys``."""
    return shape("".join(f"M90 {y}h620v{height}h-620z" for y in ys), colour, more)


def number(text: str, x: int, y: int, size: int, colour: str) -> str:
    """Return big shirt numerals, drawn by the reader's own bold font."""
    return (
        f'<text x="{x}" y="{y}" font-family="Impact,Arial Narrow,sans-serif" font-weight="700" '
        f'font-size="{size}" text-anchor="middle" fill="{colour}">{text}</text>'
    )


def badge(x: int, y: int, main: str, second: str) -> str:
    """Return a small shield that belongs to no real club."""
    return shape(f"M{x} {y}h46v30q0 26-23 38q-23-12-23-38z", main) + shape(
        f"M{x + 8} {y + 22}h30v12h-30z", second
    )


def shirt_folds() -> str:
    """Return the shadows that make a flat shirt look worn."""
    return (
        shape(
            "M546 346L574 380L650 318L600 236L556 300V642Q490 654 470 656Q540 520 546 346Z",
            INK,
            'opacity=".13"',
        )
        + line("M254 346V300M546 346V300", INK, 5, 'opacity=".25"')
        + line("M300 610q30-40 20-90M480 630q-10-40 10-80", INK, 5, 'opacity=".12"')
    )


def cuffs(colour: str) -> str:
    """Return the ends of a shirt's short sleeves."""
    return shape("M150 318L226 380L240 364L163 297ZM650 318L574 380L560 364L637 297Z", colour)


def home_jersey() -> str:
    """A blue shirt with tonal stripes and the number ten."""
    return drawing(
        "#dfe9f7",
        "#c5d8f2",
        shape(SHIRT, BLUE),
        cut_to(SHIRT, bars(range(176, 640, 88), 44, NAVY, 'opacity=".55"'), cuffs(PAPER)),
        shirt_folds(),
        line("M322 168Q400 236 478 168", PAPER, 22),
        badge(462, 282, GOLD, NAVY),
        number("10", 400, 540, 190, PAPER),
    )


def away_jersey() -> str:
    """A cream shirt with green hoops across the chest."""
    return drawing(
        "#e4efe6",
        "#cbe3d2",
        shape(SHIRT, PAPER),
        cut_to(SHIRT, hoops(range(360, 510, 64), 34, GREEN), cuffs(GREEN)),
        shirt_folds(),
        line("M322 168Q400 236 478 168", GREEN, 22),
        line("M400 204V268", GREEN, 10),
        badge(464, 270, GREEN, GOLD),
    )


def retro_jersey() -> str:
    """A gold and wine shirt in halves with a laced white collar."""
    return drawing(
        "#f6e7cf",
        "#f0d7ab",
        shape(SHIRT, GOLD),
        cut_to(SHIRT, shape("M400 100H700V700H400z", WINE), cuffs(PAPER)),
        shirt_folds(),
        shape("M322 168L296 178L352 292L400 226L448 292L504 178L478 168Q400 236 322 168Z", PAPER),
        line("M384 246L416 268M416 246L384 268M384 280L416 302M416 280L384 302", PAPER, 7),
        badge(462, 330, PAPER, WINE),
    )


def training_top() -> str:
    """A long-sleeved slate top with a short zip and lime shoulders."""
    return drawing(
        "#e3e8ea",
        "#ccd5d9",
        shape(LONG_SHIRT, SLATE),
        cut_to(
            LONG_SHIRT,
            shape("M90 150H710L560 250Q400 310 240 250Z", "#b6e36b"),
            line("M152 350L182 634M648 350L618 634", "#b6e36b", 12),
        ),
        line("M244 402V330M556 402V330", INK, 5, 'opacity=".4"'),
        shape("M322 160Q400 214 478 160L470 130H330Z", INK),
        line("M400 184V352", PAPER, 8, 'stroke-dasharray="3 12"'),
        shape("M390 344h20v40h-20z", PAPER),
        badge(470, 330, PAPER, SLATE),
        line("M300 600q40-30 30-100", INK, 6, 'opacity=".2"'),
    )


def tracksuit() -> str:
    """A green jacket above its trousers, both with a double gold stripe."""
    jacket = (
        "M340 110Q400 140 460 110L536 138L610 300L640 420L572 440L530 330V452H270V330L228 440"
        "L160 420L190 300L264 138Z"
    )
    trousers = "M276 462H524L556 706H446L400 536L354 706H244Z"
    return drawing(
        "#e4efe6",
        "#bfdccb",
        shape(trousers, DEEP_GREEN),
        line("M306 466L280 702M494 466L520 702", GOLD, 9),
        line("M326 466L302 702M474 466L498 702", GOLD, 9),
        shape("M276 462H524L527 486H273Z", INK, 'opacity=".35"'),
        shape(jacket, GREEN),
        cut_to(
            jacket,
            line("M250 130L176 424M550 130L624 424M274 134L200 430M526 134L600 430", GOLD, 9),
        ),
        shape(
            "M270 430H530V452H270ZM164 402L222 420L228 440L160 420Z"
            "M636 402L578 420L572 440L640 420Z",
            INK,
            'opacity=".3"',
        ),
        line("M400 124V448", PAPER, 7),
        shape("M340 110Q400 140 460 110L450 86H350Z", DEEP_GREEN),
        badge(432, 216, GOLD, GREEN),
        shadow=(722, 190),
    )


def scarf() -> str:
    """A striped scarf looped once, both ends fringed."""
    fringe = "".join(f"M{x} 660v44" for x in range(272, 372, 14))
    fringe += "".join(f"M{x} 610v44" for x in range(440, 540, 14))
    left, right = "M262 300H378V664H262Z", "M430 280H546V614H430Z"
    return drawing(
        "#f7e3dd",
        "#f0c9bf",
        line(fringe, RED, 7),
        shape(left, RED),
        shape("M262 380h116v46H262zM262 470h116v46H262zM262 560h116v46H262z", PAPER),
        shape(right, RED),
        shape("M430 360h116v46H430zM430 450h116v46H430zM430 540h116v36H430z", PAPER),
        shape("M188 236Q400 60 612 236Q640 330 546 372Q400 430 254 372Q160 330 188 236Z", WINE),
        shape("M188 250Q400 400 612 250Q628 332 546 372Q400 430 254 372Q172 332 188 250Z", RED),
        shape(
            "M270 306L318 326L306 390L256 372ZM376 342H424V402H376Z"
            "M482 326L530 306L544 372L494 390Z",
            PAPER,
        ),
        shape("M240 222Q400 110 560 222Q400 320 240 222Z", INK, 'opacity=".45"'),
        shadow=(724, 170),
    )


def cap() -> str:
    """A six-panel cap with a gold peak and a shield."""
    crown = "M196 470Q190 220 410 214Q612 222 616 452Q410 396 196 470Z"
    return drawing(
        "#e2ece7",
        "#c6dcd0",
        shape(crown, DEEP_GREEN),
        shape("M410 214Q612 222 616 452Q560 436 500 430Q500 270 410 214Z", INK, 'opacity=".25"'),
        line("M406 216Q300 290 290 436M410 216Q500 280 508 428", LEAF, 5, 'opacity=".6"'),
        shape("M392 208h36v16q-18 10-36 0z", GOLD),
        shape(
            "M196 470Q410 390 616 452Q700 480 716 540Q560 480 392 500"
            "Q250 518 150 574Q150 500 196 470Z",
            GOLD,
        ),
        shape("M716 540Q560 480 392 500Q250 518 150 574Q270 542 396 530Q560 514 716 540Z", AMBER),
        shape("M346 290h104v64q0 52-52 78q-52-26-52-78z", PAPER),
        shape("M362 326h72v24h-72z", GREEN),
        number("K", 398, 408, 60, GREEN),
        shadow=(620, 240),
    )


def bucket_hat() -> str:
    """A bucket hat with hoops around the crown and a stitched brim."""
    crown = "M284 240Q400 196 516 240L566 470Q400 530 234 470Z"
    return drawing(
        "#fbeecb",
        "#f7dd95",
        shape("M234 462Q400 520 566 462L690 580Q400 700 110 580Z", BLUE),
        line(
            "M196 536Q400 606 604 536M158 566Q400 650 642 566", SKY, 4, 'stroke-dasharray="14 10"'
        ),
        shape(crown, BLUE),
        cut_to(
            crown,
            shape("M200 340Q400 400 600 340V396Q400 456 200 396Z", GOLD),
            shape("M200 420Q400 480 600 420V444Q400 504 200 444Z", PAPER),
        ),
        shape("M516 240L566 470Q530 486 480 494Q500 360 470 226Z", NAVY, 'opacity=".45"'),
        shape("M284 240Q400 196 516 240Q400 286 284 240Z", NAVY),
        shadow=(684, 260),
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


PICTURES: dict[str, Callable[[], str]] = {
    "home-jersey": home_jersey,
    "away-jersey": away_jersey,
    "retro-jersey": retro_jersey,
    "club-scarf": scarf,
    "terrace-cap": cap,
    "bucket-hat": bucket_hat,
    "enamel-mug": mug,
    "water-bottle": water_bottle,
    "training-top": training_top,
    "tracksuit": tracksuit,
    "match-football": football,
    "hand-flag": flag,
    "vuvuzela": vuvuzela,
    "boot-bag": boot_bag,
}


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for slug, draw in PICTURES.items():
        (FOLDER / f"{slug}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
