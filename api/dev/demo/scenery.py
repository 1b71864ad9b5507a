"""The parts of a wide scene: 1200 by 675 units, with skies, stands, pitches, lights and flags."""

import math
import random
from collections.abc import Sequence

from api.dev.demo.drawing import GOLD, GREEN, INK, LEAF, PAPER, line, shape

WIDTH, HEIGHT = 1200, 675
NIGHT, DUSK, GLOW = "#0b1a2b", "#16463c", "#f2b24a"
TURF, TURF_LIGHT = "#1c7a48", "#23905a"
SKINS = ("#4a2c1b", "#5d3a24", "#70462b", "#3a2114")
PARTY = (GOLD, PAPER, LEAF, "#ff8a5c")
GLASS = (
    "M-113-212a26 26 0 0 1 26-26H87a26 26 0 0 1 26 26V212a26 26 0 0 1-26 26H-87a26 26 0 0 1-26-26Z"
)
SEED = 1976  # makes every drawing the same


def dice() -> random.Random:
    """Return the random numbers of one scene, the same for each drawing."""
    return random.Random(SEED)  # noqa: S311 a picture, not a secret


def scene(*parts: str) -> str:
    """Return a whole scene."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{''.join(parts)}</svg>\n"
    )


def backdrop(*colours: str, is_round: bool = False) -> str:
    """Return the whole area in a gradient, from the top down or from the middle outwards."""
    stops = "".join(
        f'<stop offset="{place / (len(colours) - 1):.2f}" stop-color="{colour}"/>'
        for place, colour in enumerate(colours)
    )
    gradient = (
        f'<radialGradient id="back" cx=".5" cy=".46" r=".68">{stops}</radialGradient>'
        if is_round
        else f'<linearGradient id="back" x2="0" y2="1">{stops}</linearGradient>'
    )
    return gradient + shape(f"M0 0H{WIDTH}V{HEIGHT}H0Z", "url(#back)")


def clipped(name: str, outline: str, *parts: str) -> str:
    """Return ``parts`` visible only inside ``outline``; ``name`` is unique in its scene."""
    return (
        f'<clipPath id="{name}"><path d="{outline}"/></clipPath>'
        f'<g clip-path="url(#{name})">{"".join(parts)}</g>'
    )


def moved(
    x: float, y: float, *parts: str, turn: float = 0, scale: float = 1, opacity: float = 1
) -> str:
    """Return ``parts`` at a place, turned by degrees and scaled."""
    fade = "" if opacity == 1 else f' opacity="{opacity}"'
    return (
        f'<g transform="translate({x:g} {y:g}) rotate({turn:g}) scale({scale:g})"{fade}>'
        f"{''.join(parts)}</g>"
    )


def disc(x: float, y: float, radius: float, fill: str, more: str = "") -> str:
    """Return a filled circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" {more}/>'


def box(x: float, y: float, width: float, height: float, radius: float, fill: str) -> str:
    """Return a filled rectangle with round corners."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
        f'fill="{fill}"/>'
    )


def words(text: str, x: float, y: float, size: int, fill: str, face: str = "Big Shoulders") -> str:
    """Return a centred text in one of the product's typefaces."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{face}" font-weight="800" font-size="{size}" '
        f'text-anchor="middle" fill="{fill}">{text}</text>'
    )


def rays(x: float, y: float, count: int, fill: str, opacity: float) -> str:
    """Return beams that spread from a point to the edges."""
    reach, half = 1400, math.pi / count / 2
    path = ""
    for step in range(count):
        turn = 2 * math.pi * step / count
        ends = ((turn - half), (turn + half))
        path += f"M{x:g} {y:g}" + "".join(
            f"L{x + reach * math.sin(end):.0f} {y - reach * math.cos(end):.0f}" for end in ends
        )
        path += "Z"
    return shape(path, fill, f'opacity="{opacity}"')


def crowd(top: int, rows: int, size: int, shirts: Sequence[str], seats: random.Random) -> str:
    """Return a packed stand over the whole width: rows of supporters ``size`` units wide."""
    height = round(size * 0.8)
    parts = [shape(f"M0 {top}H{WIDTH}V{top + rows * height + size}H0Z", "#0a1712")]
    for row in range(rows):
        for place in range(row % 2 * size // 2 - size // 2, WIDTH + size, size):
            fan = _fan(seats.choice(shirts), seats.choice(SKINS), has_arms_up=seats.random() < 0.24)
            lift = seats.randint(-size // 9, size // 9)
            parts.append(moved(place, top + row * height + lift, fan, scale=size / 34))
    return "".join(parts)


def _fan(shirt: str, skin: str, *, has_arms_up: bool) -> str:
    arms = line("M-12 27l-5-25M12 27l5-25", skin, 5) if has_arms_up else ""
    return shape("M-15 44v-14q15-18 30 0v14z", shirt) + disc(0, 14, 8, skin) + arms


def floodlight(x: int, foot: int, head: int, lean: int) -> str:
    """Return a mast with twelve lamps; its beam falls ``lean`` units to the side."""
    lamps = "".join(
        disc(x - 45 + column * 30, head + 18 + row * 27, 10, "#fff6d6")
        for row in range(3)
        for column in range(4)
    )
    return (
        shape(f"M{x - 62} {head}H{x + 62}L{x + lean * 3} 640H{x + lean}Z", "url(#beam)")
        + disc(x, head + 44, 150, "url(#halo)")
        + shape(f"M{x - 9} {foot}L{x - 5} {head + 80}H{x + 5}L{x + 9} {foot}Z", "#22352d")
        + box(x - 66, head, 132, 90, 10, "#22352d")
        + lamps
    )


def lights() -> str:
    """Return the gradients that floodlights need."""
    return (
        '<linearGradient id="beam" x2="0" y2="1"><stop offset="0" stop-color="#fff3c4" '
        'stop-opacity=".34"/><stop offset=".8" stop-color="#fff3c4" stop-opacity="0"/>'
        '</linearGradient><radialGradient id="halo"><stop offset="0" stop-color="#fff3c4" '
        'stop-opacity=".7"/><stop offset="1" stop-color="#fff3c4" stop-opacity="0"/>'
        "</radialGradient>"
    )


def pitch(top: int) -> str:
    """Return a pitch seen from behind a goal line, from ``top`` to the lower edge."""
    outline = f"M200 {top}H1000L1420 {HEIGHT}H-220Z"
    stripes = "".join(
        f"M{200 + 100 * step} {top}h50L{-220 + 205 * step + 102} {HEIGHT}h-102Z"
        for step in range(8)
    )
    depth = HEIGHT - top
    return (
        shape(f"M0 {top - 6}H{WIDTH}V{HEIGHT}H0Z", "#125434")
        + shape(outline, TURF)
        + shape(stripes, TURF_LIGHT)
        + line(f"M230 {top + 12}H970L1290 {HEIGHT + 20}M230 {top + 12}L-90 {HEIGHT + 20}", PAPER, 4)
        + f'<ellipse cx="600" cy="{top + depth * 0.62:.0f}" rx="210" ry="{depth * 0.26:.0f}" '
        f'fill="none" stroke="{PAPER}" stroke-width="5"/>'
        + line(f"M45 {top + depth * 0.62:.0f}H1155", PAPER, 5)
        + line(f"M420 {top + 12}L400 {top + 40}H800L780 {top + 12}", PAPER, 4)
        + line(f"M556 {top + 10}V{top - 28}H644V{top + 10}", PAPER, 5)
    )


def green_flag(x: float, y: float, scale: float, turn: float = 0) -> str:
    """Return a waving flag in green, white and green, on its stick."""
    cloth = "M0-150Q44-176 90-152T180-150V-40Q136-14 90-38T0-40Z"
    name = f"cloth{x:.0f}{y:.0f}"
    return moved(
        x,
        y,
        line("M0 60V-150", "#6b4423", 9),
        clipped(
            name,
            cloth,
            shape("M0-180H60V0H0ZM120-180H180V0H120Z", GREEN),
            shape("M60-180H120V0H60Z", PAPER),
            shape("M40-190Q64-100 40 0H84Q112-100 84-190Z", INK, 'opacity=".14"'),
        ),
        disc(0, -156, 8, GOLD),
        scale=scale,
        turn=turn,
    )


def confetti(count: int, colours: Sequence[str], pieces: random.Random) -> str:
    """Return paper that falls all over the scene."""
    return "".join(
        moved(
            pieces.randint(10, WIDTH - 10),
            pieces.randint(0, HEIGHT - 60),
            box(-7, -4, 14, 8, 2, pieces.choice(colours)),
            turn=pieces.randint(0, 179),
            scale=pieces.choice((0.8, 1, 1.3, 1.7)),
        )
        for _ in range(count)
    )


def football(x: float, y: float, radius: float) -> str:
    """Return a ball with five patches at its edge and one in the middle."""

    def ring(count: int, distance: float, first: float) -> list[tuple[float, float]]:
        turns = (first + 2 * math.pi * step / count for step in range(count))
        return [(distance * math.sin(turn), -distance * math.cos(turn)) for turn in turns]

    middle = "M" + "L".join(f"{px:.0f} {py:.0f}" for px, py in ring(5, 36, 0)) + "Z"
    seams = "".join(
        f"M{a:.0f} {b:.0f}L{c:.0f} {d:.0f}"
        for (a, b), (c, d) in zip(ring(5, 36, 0), ring(5, 78, 0), strict=True)
    )
    edges = "".join(
        "M" + "L".join(f"{px + a:.0f} {py + b:.0f}" for a, b in ring(5, 34, turn + math.pi)) + "Z"
        for step, (px, py) in enumerate(ring(5, 102, 0))
        for turn in (2 * math.pi * step / 5,)
    )
    outline = "M-100 0a100 100 0 1 0 200 0a100 100 0 1 0-200 0"
    return moved(
        x,
        y,
        shape(outline, PAPER),
        clipped(
            f"ball{x:.0f}{y:.0f}",
            outline,
            line(seams, INK, 6),
            shape(middle + edges, INK),
            shape("M10-100A100 100 0 0 1 10 100A150 150 0 0 0 10-100", INK, 'opacity=".18"'),
        ),
        scale=radius / 100,
    )


def phone(screen: str, glass: str) -> str:
    """Return an upright phone around its middle, 250 by 500 units, ``screen`` on its ``glass``."""
    return (
        box(-125, -250, 250, 500, 36, "#0d1512")
        + box(-113, -238, 226, 476, 26, glass)
        + clipped("screen", GLASS, screen)
        + box(-34, -228, 68, 14, 7, "#0d1512")
    )
