"""Forms, videos and pictures made in memory: good ones, and hundreds of bad ones."""

import io
import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

SAMPLES = Path(__file__).parent / "samples"
GOOD_VIDEOS = (
    "phone.mp4",
    "faststart-tagged.mp4",
    "fragmented.mp4",
    "vp8.webm",
    "vp9-tagged.webm",
    "live.webm",
)
UNPLAYABLE = ("quicktime.mov", "old-phone.3gp", "h264.mkv")
PICTURE_KINDS = ("JPEG", "PNG", "WEBP")


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def picture(
    kind: str = "JPEG", size: tuple[int, int] = (120, 80), mode: str = "RGB", **options: Any
) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, 90).save(buffer, kind, **options)
    return buffer.getvalue()


def box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content) + 8) + kind + content


def video_of(size_bytes: int) -> bytes:
    """Return a good video of exactly this size: a phone's, with free space after it."""
    video = sample("phone.mp4")
    return video + box(b"free", bytes(size_bytes - len(video) - 8))


def replaced(content: bytes, old: bytes, new: bytes) -> bytes:
    assert old in content
    return content.replace(old, new, 1)


def png_chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def png_of(width: int, height: int, *chunks: bytes, is_bitmap: bool = False) -> bytes:
    """Return a PNG whose header has these sides, whatever follows; a bitmap has one bit each."""
    depth, colours = (1, 0) if is_bitmap else (8, 2)
    header = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0)
    body = b"".join(chunks) or png_chunk(b"IDAT", zlib.compress(bytes(64)))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + body + png_chunk(b"IEND", b"")


@dataclass(frozen=True)
class Bad:
    """A bad file: a description, its bytes, and the statuses that may refuse it."""

    name: str
    content: bytes
    statuses: tuple[int, ...] = (415, 422)


def bad_videos() -> Iterator[Bad]:
    for name in GOOD_VIDEOS:
        content = sample(name)
        for share in range(1, 16):
            # A fragmented file cut between two fragments is a shorter good one.
            cut = len(content) * share // 16 + (3 if name == "fragmented.mp4" else 0)
            yield Bad(f"{name} cut to {share}/16", content[:cut])
        yield Bad(f"{name} without its last byte", content[:-1])
        yield Bad(f"{name} with a zip behind it", content + b"PK\x03\x04" + bytes(60))
        yield Bad(f"{name} with a page behind it", content + b"<script>alert(1)</script>")
        yield Bad(f"a page before {name}", b"<html><script>1</script>" + content)
        yield Bad(f"{name} with a byte before it", b"\0" + content)
    for name in UNPLAYABLE:
        yield Bad(name, sample(name), (415,))
    yield Bad("sound alone", sample("sound-only.m4a"), (415,))
    yield from _lying_mp4s()
    yield from _lying_webms()
    yield from _no_videos()


def _lying_mp4s() -> Iterator[Bad]:
    good = sample("phone.mp4")
    for kind in (b"ftyp", b"moov", b"mdat", b"trak", b"mdia", b"minf", b"stbl", b"stsd"):
        at = good.index(kind) - 4
        (size,) = struct.unpack_from(">I", good, at)
        for lie in (0, 1, 7, 8, size - 1, size + 1, size * 2, 0x7FFFFFFF, 0xFFFFFFFF):
            if kind == b"mdat" and lie == 0:
                continue  # means "to the end", which swallows the index: tested below
            lying = good[:at] + struct.pack(">I", lie & 0xFFFFFFFF) + good[at + 4 :]
            yield Bad(f"{kind.decode()} of {lie} bytes", lying)
    for kind in (b"mvhd", b"hdlr", b"stsz", b"stsc", b"stco", b"stsd", b"moov"):
        yield Bad(f"without {kind.decode()}", replaced(good, kind, b"none"))
    at = good.index(b"stco") + 12
    for offset in (0, len(good), 0xFFFFFFFF):
        lying = good[:at] + struct.pack(">I", offset) + good[at + 4 :]
        yield Bad(f"a chunk at {offset}", lying, (422,))
    at = good.index(b"stsz") + 8
    for samples in (0, 1_000_000, 0xFFFFFFFF):
        lying = good[: at + 4] + struct.pack(">I", samples) + good[at + 8 :]
        yield Bad(f"{samples} samples", lying, (422,))
    at = good.index(b"mvhd") + 4 + 12
    yield Bad("no timescale", good[:at] + bytes(4) + good[at + 4 :], (422,))
    (timescale,) = struct.unpack_from(">I", good, at)
    too_long = struct.pack(">I", 600 * timescale + 1)
    yield Bad("over ten minutes long", good[: at + 4] + too_long + good[at + 8 :], (422,))
    yield Bad("a year long", good[: at + 4] + b"\x7f\xff\xff\xff" + good[at + 8 :], (422,))
    at = good.index(b"avc1", good.index(b"stsd")) + 4 + 24
    for sides in ((8193, 120), (160, 8193), (0, 120)):
        lying = good[:at] + struct.pack(">HH", *sides) + good[at + 4 :]
        yield Bad(f"sides of {sides}", lying, (422,))
    yield Bad("two indexes", good + box(b"moov", b""), (422,))
    yield Bad("half a million boxes", good + box(b"free", b"") * 5000, (422,))
    yield Bad("only a head", box(b"ftyp", b"isom\0\0\2\0isom"), (422,))
    yield Bad("a long box of nothing", good + struct.pack(">I4sQ", 1, b"free", 3), (422,))


def _lying_webms() -> Iterator[Bad]:
    good = sample("vp8.webm")
    for name, element in (
        ("Segment", b"\x18\x53\x80\x67"),
        ("Tracks", b"\x16\x54\xae\x6b"),
        ("Info", b"\x15\x49\xa9\x66"),
        ("Cluster", b"\x1f\x43\xb6\x75"),
    ):
        at = good.rindex(element) + 4  # the first may be a mention in the table of contents
        for lie in (b"\x00", b"\x81", b"\xff", b"\x01\xff\xff\xff\xff\xff\xff\xfe"):
            lying = good[:at] + lie + good[at + len(lie) :]
            yield Bad(f"{name} of {lie.hex()}", lying)
        yield Bad(f"without {name}", good[: at - 4] + b"\x1f\x00\x00\x00" + good[at:])
    yield Bad("another type of document", replaced(good, b"\x84webm", b"\x84wham"), (415,))
    yield Bad("a codec of no browser", replaced(good, b"V_VP8", b"V_QT8"), (415,))
    yield Bad("only an EBML head", good[: good.index(b"\x18\x53\x80\x67")], (422,))


def _no_videos() -> Iterator[Bad]:
    for name, content in (
        ("a page", b"<!doctype html><script>alert(1)</script>"),
        ("a vector picture", b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
        ("a program", b"MZ\x90\0" + bytes(100)),
        ("a zip", b"PK\x03\x04" + bytes(100)),
        ("a document", b"%PDF-1.7\n"),
        ("a moving picture of another kind", b"GIF89a" + bytes(100)),
        ("an AVI", b"RIFF\x10\0\0\0AVI LIST" + bytes(30)),
        ("an MP3", b"ID3\x04" + bytes(100)),
        ("an Ogg", b"OggS" + bytes(100)),
        ("zeros", bytes(5000)),
        ("one byte", b"\0"),
        ("a picture", picture()),
    ):
        yield Bad(f"{name} as video", content, (415,))


def bad_pictures() -> Iterator[Bad]:
    for kind in PICTURE_KINDS:
        content = picture(kind, (240, 160), quality=90)
        for share in range(1, 16):
            yield Bad(f"{kind} cut to {share}/16", content[: len(content) * share // 16])
        yield Bad(f"{kind} without its last byte", content[:-1])
        yield Bad(f"{kind} with a zip behind it", content + b"PK\x03\x04" + bytes(60))
        yield Bad(f"{kind} with a page behind it", content + b"<script>alert(1)</script>")
        yield Bad(f"a page before {kind}", b"<script>alert(1)</script>" + content)
    yield from _bombs()
    yield from _odd_pictures()


def _bombs() -> Iterator[Bad]:
    for width, height in (
        (65_535, 65_535),
        (20_000, 20_000),
        (12_001, 10),
        (1, 50_000),
        (0, 0),
        (0, 100),
        (2**31 - 1, 2**31 - 1),
        (5000, 5000),
    ):
        yield Bad(f"a PNG that says {width}x{height}", png_of(width, height), (422,))
    # Built row by row: a decoded picture of this size would count as this process's own growth.
    deflate = zlib.compressobj()
    rows = b"".join(deflate.compress(bytes(1 + 20_000 // 8)) for _ in range(20_000))
    bomb = png_of(20_000, 20_000, png_chunk(b"IDAT", rows + deflate.flush()), is_bitmap=True)
    yield Bad("a PNG of four hundred million pixels", bomb, (422,))
    note = b"Comment\0\0" + zlib.compress(bytes(60_000_000))
    noted = png_of(64, 64, png_chunk(b"zTXt", note), png_chunk(b"IDAT", zlib.compress(bytes(9))))
    yield Bad("a PNG whose note unfolds to 60 MB", noted, (422,))
    jpeg = picture("JPEG", (64, 64))
    at = jpeg.index(b"\xff\xc0") + 5
    lying = jpeg[:at] + b"\xff\xff\xff\xff" + jpeg[at + 4 :]
    yield Bad("a JPEG that says 65535x65535", lying, (422,))
    scan = jpeg.index(b"\xff\xda")
    yield Bad("a JPEG of a thousand scans", jpeg[:-2] + jpeg[scan:-2] * 1000 + b"\xff\xd9", (422,))


def _odd_pictures() -> Iterator[Bad]:
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    for kind in ("GIF", "PNG", "WEBP"):
        buffer = io.BytesIO()
        frames[0].save(buffer, kind, save_all=True, append_images=frames[1:])
        yield Bad(f"a moving {kind}", buffer.getvalue())
    for kind in ("GIF", "BMP", "TIFF", "ICO", "PPM", "TGA", "PCX"):
        yield Bad(f"a {kind}", picture(kind, (32, 32)), (415,))
    for name, content in (
        ("a vector picture", b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
        ("a vector picture with a prologue", b'<?xml version="1.0"?><svg onload="alert(1)"/>'),
        ("a page", b"<!doctype html><script>alert(1)</script>"),
        ("a program", b"\x7fELF" + bytes(100)),
        ("PostScript", b"%!PS-Adobe-3.0 EPSF-3.0\n"),
        ("one byte", b"\xff"),
        ("zeros", bytes(5000)),
        ("an MP4", sample("phone.mp4")),
        ("a WebM", sample("vp8.webm")),
    ):
        yield Bad(f"{name} as picture", content, (415,))
    good = picture("PNG", (64, 64))
    for at in range(8, len(good), max(1, len(good) // 24)):
        yield Bad(f"a PNG with byte {at} turned", _turned(good, at))
    yield Bad("a PNG without pixels", png_of(8, 8, png_chunk(b"tEXt", b"a\0b")), (422,))
    yield Bad("a WebP that lies of its length", _turned(picture("WEBP"), 5), (422,))


def _turned(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]


def moment_form(
    *,
    video: bytes | None = None,
    thumbnail: bytes | None = None,
    video_name: str = "goal.mp4",
    video_type: str = "video/mp4",
    **fields: str,
) -> dict[str, Any]:
    """Return httpx's arguments for a multipart request; a part of None is left out."""
    files: list[tuple[str, tuple[str, bytes, str]]] = []
    if thumbnail is not None:
        files.append(("thumbnail", ("poster.jpg", thumbnail, "image/jpeg")))
    if video is not None:
        files.append(("video", (video_name, video, video_type)))
    return {"files": files, "data": {"title": "The goal"} | fields}


def good_form(**fields: str) -> dict[str, Any]:
    return moment_form(video=sample("phone.mp4"), thumbnail=picture(), **fields)


def profile_form(fields: dict[str, Any], avatar: bytes | None = None) -> dict[str, Any]:
    user = ("", json.dumps(fields).encode(), "application/json")
    files: list[tuple[str, tuple[str, bytes, str]]] = [("user", user)]
    if avatar is not None:
        files.append(("avatar", ("me.jpg", avatar, "image/jpeg")))
    return {"files": files}
