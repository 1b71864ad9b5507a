"""The demo products that are worn."""

from api.dev.demo.drawing import (
    AMBER,
    BLUE,
    DEEP_GREEN,
    GOLD,
    GREEN,
    INK,
    LEAF,
    NAVY,
    PAPER,
    RED,
    SKY,
    SLATE,
    WINE,
    badge,
    bars,
    cut_to,
    drawing,
    hoops,
    line,
    number,
    shape,
)

SHIRT = (
    "M322 168Q400 236 478 168L556 204Q606 230 650 318L574 380L546 346V642Q400 668 254 642"
    "V346L226 380L150 318Q194 230 244 204Z"
)
LONG_SHIRT = (
    "M322 160Q400 214 478 160L560 198Q616 226 648 350L700 612L618 634L556 402V650Q400 676 244 650"
    "V402L182 634L100 612L152 350Q184 226 240 198Z"
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
