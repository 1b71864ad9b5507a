"""The parts of a flat picture: a square of 800 units, its colours, and shapes on it."""

INK = "#0f1a15"
PAPER = "#fffdf6"
GREEN, DEEP_GREEN, LEAF = "#0a6239", "#074529", "#52b788"
GOLD, AMBER = "#ffc62e", "#e09f1f"
BLUE, NAVY, SKY = "#1b57b0", "#123a78", "#8ab8ff"
RED, WINE = "#c8372d", "#8f1f19"
SLATE = "#3a4a57"


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
