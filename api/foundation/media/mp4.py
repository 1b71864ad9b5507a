"""Walks the boxes of an MP4 file (ISO/IEC 14496-12)."""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from api.foundation.media.videos import (
    Blank,
    DamagedVideoError,
    NotAVideoError,
    UnplayableVideoError,
    check_length,
    check_sides,
)

BRANDS = frozenset(
    {b"isom", b"avc1", b"mp41", b"mp42", b"M4V ", b"MSNV", b"dash", b"3gp4", b"3gp5", b"3gp6"}
) | {b"iso%d" % number for number in range(2, 10)}
PLAYABLE = frozenset({b"avc1", b"avc3", b"hvc1", b"hev1", b"av01", b"vp08", b"vp09"})
KEPT = frozenset({b"ftyp", b"styp", b"moov", b"moof", b"mdat", b"sidx", b"mfra"})
SHOWN = frozenset({b"vide", b"soun", b"text", b"sbtl", b"subt"})  # tracks that people perceive
NEEDLESS = frozenset({b"udta", b"meta", b"uuid", b"free", b"skip", b"iods"})
MAX_BOXES = 4096
MAX_INDEX_BYTES = 1024 * 1024  # moov, or one moof; a 4 MB video's has a fifth of that
MAX_SAMPLES = 250_000
BEYOND = 1 << 64  # after every offset
SHORT = struct.Struct(">I")
LONG = struct.Struct(">Q")


@dataclass(frozen=True)
class Box:
    """One box; ``start`` is where it begins, ``body`` where its content does."""

    kind: bytes
    start: int
    body: int
    end: int


@dataclass(frozen=True)
class _Samples:
    """The location of a track's bytes: the chunks' offsets, and the samples in each chunk."""

    offsets: tuple[int, ...]
    runs: tuple[tuple[int, int], ...]  # first chunk (from 1), samples in each
    fixed_size: int
    sizes: tuple[int, ...]
    count: int


def looks_like_mp4(head: bytes) -> bool:
    """Return whether a file that begins with ``head`` claims to be of this family."""
    return head[4:8] == b"ftyp"


def check_mp4(handle: BinaryIO, size: int) -> list[Blank]:
    """Check a whole file; return the parts without playable content, to be blanked.

    Raises:
        NotAVideoError: it holds no moving pictures.
        UnplayableVideoError: browsers do not play its brand or codec.
        DamagedVideoError: its structure is inconsistent.
    """
    boxes = list(_top_boxes(handle, size))
    _check_brand(handle, boxes[0])
    by_kind: dict[bytes, list[Box]] = {}
    for box in boxes:
        by_kind.setdefault(box.kind, []).append(box)
    media = [(box.body, box.end) for box in by_kind.get(b"mdat", ()) if box.end > box.body]
    if len(by_kind.get(b"ftyp", ())) != 1 or len(by_kind.get(b"moov", ())) != 1 or not media:
        raise DamagedVideoError("parts")
    moov = by_kind[b"moov"][0]
    blanks = [_freed(box) for box in boxes if box.kind not in KEPT]
    blanks += _check_index(_content(handle, moov), moov, media, by_kind)
    for moof in by_kind.get(b"moof", ()):
        inner = list(_children(_content(handle, moof), 0, moof.end - moof.body))
        blanks += [_freed(_shifted(box, moof.body)) for box in inner if box.kind in NEEDLESS]
    return blanks


def _top_boxes(handle: BinaryIO, size: int) -> Iterator[Box]:
    """Iterate over the outermost boxes; they must end where the file does."""
    position = 0
    for _ in range(MAX_BOXES):
        if position == size:
            return
        handle.seek(position)
        box = _read_box(handle.read(16), position, size)
        yield box
        position = box.end
    raise DamagedVideoError("boxes")


def _read_box(head: bytes, start: int, limit: int) -> Box:
    """Read one header. A size of 1 means a long one follows; 0, that it is the last box."""
    if len(head) < 8:
        raise DamagedVideoError("header")
    length, kind, body = SHORT.unpack_from(head)[0], bytes(head[4:8]), start + 8
    if length == 1:
        if len(head) < 16:
            raise DamagedVideoError("header")
        length, body = LONG.unpack_from(head, 8)[0], start + 16
    elif length == 0 and kind == b"mdat":
        length = limit - start
    end = start + length
    if end < body or end > limit:
        raise DamagedVideoError("size")
    return Box(kind, start, body, end)


def _children(content: bytes, start: int, end: int) -> Iterator[Box]:
    position = start
    for _ in range(MAX_BOXES):
        if position == end:
            return
        box = _read_box(content[position : min(position + 16, end)], position, end)
        yield box
        position = box.end
    raise DamagedVideoError("boxes")


def _content(handle: BinaryIO, box: Box) -> bytes:
    if box.end - box.body > MAX_INDEX_BYTES:
        raise DamagedVideoError("index")
    handle.seek(box.body)
    return handle.read(box.end - box.body)


def _check_brand(handle: BinaryIO, box: Box) -> None:
    if box.kind != b"ftyp" or not 16 <= box.end - box.start <= 512:
        raise DamagedVideoError("ftyp")
    content = _content(handle, box)
    brands = {content[:4], *(content[at : at + 4] for at in range(8, len(content), 4))}
    if not brands & BRANDS:
        raise UnplayableVideoError


def _freed(box: Box) -> Blank:
    """Return the blank that makes ``box`` free space of the same size."""
    if box.body - box.start == 16:
        header = SHORT.pack(1) + b"free" + LONG.pack(box.end - box.start)
    else:
        header = SHORT.pack(box.end - box.start) + b"free"
    return Blank(box.start, header, box.end)


def _shifted(box: Box, by: int) -> Box:
    return Box(box.kind, box.start + by, box.body + by, box.end + by)


def _check_index(
    content: bytes, moov: Box, media: list[tuple[int, int]], by_kind: dict[bytes, list[Box]]
) -> list[Blank]:
    children = list(_children(content, 0, len(content)))
    headers = [box for box in children if box.kind == b"mvhd"]
    if len(headers) != 1:
        raise DamagedVideoError("mvhd")
    is_fragmented = any(box.kind == b"mvex" for box in children) and b"moof" in by_kind
    _check_duration(content, headers[0], is_fragmented)
    needless = [box for box in children if box.kind in NEEDLESS]
    blanks: list[Blank] = []
    handlers = []
    for track in (box for box in children if box.kind == b"trak"):
        handler, samples = _check_track(content, track, media, is_fragmented=is_fragmented)
        handlers.append(handler)
        if handler in SHOWN:
            inner = _children(content, track.body, track.end)
            needless += [box for box in inner if box.kind in NEEDLESS]
        else:
            needless.append(track)
            blanks += [Blank(start, b"", end) for start, end in _joined(samples)]
    if b"vide" not in handlers:
        raise NotAVideoError
    return blanks + [_freed(_shifted(box, moov.body)) for box in needless]


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge overlapping ranges: an index may name one place a thousand times."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _check_duration(content: bytes, box: Box, is_fragmented: bool) -> None:
    layout = ">8xIQ" if content[box.body] else ">8xII"
    layout = layout.replace("8x", "16x") if content[box.body] else layout
    timescale, duration = _unpack(layout, content, box.body + 4, box.end)
    if timescale == 0:
        raise DamagedVideoError("timescale")
    unknown = duration in {0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF}
    if not (unknown and is_fragmented):
        check_length(duration / timescale)


def _check_track(
    content: bytes, track: Box, media: list[tuple[int, int]], *, is_fragmented: bool
) -> tuple[bytes, list[tuple[int, int]]]:
    """Check one track; return its kind and, in a whole file, the location of its samples."""
    mdia = _only(content, track, b"mdia")
    handler = _only(content, mdia, b"hdlr")
    table = _only(content, _only(content, mdia, b"minf"), b"stbl")
    kind = content[handler.body + 8 : handler.body + 12]
    if kind == b"vide":
        _check_codec(content, _only(content, table, b"stsd"))
    if is_fragmented:
        return kind, []
    return kind, _check_samples(_samples(content, table), media)


def _check_codec(content: bytes, box: Box) -> None:
    (entries,) = _unpack(">4xI", content, box.body, box.end)
    if not entries:
        raise DamagedVideoError("stsd")
    entry = _read_box(content[box.body + 8 : box.body + 24], box.body + 8, box.end)
    if entry.kind not in PLAYABLE:
        raise UnplayableVideoError
    check_sides(*_unpack(">24xHH", content, entry.body, entry.end))


def _samples(content: bytes, table: Box) -> _Samples:
    boxes = {box.kind: box for box in _children(content, table.body, table.end)}
    if not {b"stsz", b"stsc"} <= boxes.keys() or not {b"stco", b"co64"} & boxes.keys():
        raise DamagedVideoError("stbl")
    sizes = boxes[b"stsz"]
    fixed, count = _unpack(">4xII", content, sizes.body, sizes.end)
    if count > MAX_SAMPLES:
        raise DamagedVideoError("samples")
    is_long = b"stco" not in boxes
    places = boxes[b"co64" if is_long else b"stco"]
    (chunks,) = _unpack(">4xI", content, places.body, places.end)
    spread = boxes[b"stsc"]
    (runs,) = _unpack(">4xI", content, spread.body, spread.end)
    if max(chunks, runs) > MAX_SAMPLES:
        raise DamagedVideoError("chunks")
    numbers = _unpack(f">{runs * 3}I", content, spread.body + 8, spread.end)
    return _Samples(
        offsets=_unpack(
            f">{chunks}{'Q' if is_long else 'I'}", content, places.body + 8, places.end
        ),
        runs=tuple(zip(numbers[::3], numbers[1::3], strict=True)),
        fixed_size=fixed,
        sizes=() if fixed else _unpack(f">{count}I", content, sizes.body + 12, sizes.end),
        count=count,
    )


def _check_samples(samples: _Samples, media: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges of a track's chunks; each must lie in one of ``media``, in file order."""
    if not samples.count or not samples.offsets or not samples.runs or samples.runs[0][0] != 1:
        raise DamagedVideoError("empty")
    chunks = []
    run, taken = 0, 0
    for chunk, offset in enumerate(samples.offsets, start=1):
        if run + 1 < len(samples.runs) and samples.runs[run + 1][0] == chunk:
            run += 1
        upto = min(taken + samples.runs[run][1], samples.count)
        length = (
            samples.fixed_size * (upto - taken)
            if samples.fixed_size
            else sum(samples.sizes[taken:upto])
        )
        around = bisect_right(media, (offset, BEYOND)) - 1
        if around < 0 or offset + length > media[around][1]:
            raise DamagedVideoError("chunk")
        chunks.append((offset, offset + length))
        taken = upto
    if taken != samples.count:
        raise DamagedVideoError("samples")
    return chunks


def _only(content: bytes, parent: Box, kind: bytes) -> Box:
    found = [box for box in _children(content, parent.body, parent.end) if box.kind == kind]
    if len(found) != 1:
        raise DamagedVideoError(kind.decode("latin-1"))
    return found[0]


def _unpack(layout: str, content: bytes, start: int, end: int) -> tuple[int, ...]:
    if start + struct.calcsize(layout) > end:
        raise DamagedVideoError("short")
    return struct.unpack_from(layout, content, start)
