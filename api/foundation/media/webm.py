"""Parses the elements of a WebM file (EBML, RFC 8794; Matroska, RFC 9559)."""

import struct
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

MAGIC = b"\x1a\x45\xdf\xa3"
EBML, READ_VERSION, DOC_TYPE, DOC_READ_VERSION = 0x1A45DFA3, 0x42F7, 0x4282, 0x4285
SEGMENT, SEEK_HEAD, INFO, TRACKS, CLUSTER = (
    0x18538067,
    0x114D9B74,
    0x1549A966,
    0x1654AE6B,
    0x1F43B675,
)
CUES, CHAPTERS, TAGS, ATTACHMENTS = 0x1C53BB6B, 0x1043A770, 0x1254C367, 0x1941A469
VOID, CRC = 0xEC, 0xBF
TIMESTAMP_SCALE, DURATION, TITLE = 0x2AD7B1, 0x4489, 0x7BA9
TRACK_ENTRY, TRACK_TYPE, CODEC, VIDEO, WIDTH, HEIGHT = 0xAE, 0x83, 0x86, 0xE0, 0xB0, 0xBA
SIMPLE_BLOCK, BLOCK_GROUP = 0xA3, 0xA0
LEVEL_ONE = frozenset(
    {SEEK_HEAD, INFO, TRACKS, CLUSTER, CUES, CHAPTERS, TAGS, ATTACHMENTS, VOID, CRC}
)
# A cluster of unknown size ends where one of these begins; Void and CRC may also be inside.
ENDS_CLUSTER = LEVEL_ONE - {VOID, CRC}
NEEDLESS = frozenset({CHAPTERS, TAGS, ATTACHMENTS, VOID})
PLAYABLE = frozenset({b"V_VP8", b"V_VP9", b"V_AV1"})
MOVING_PICTURES = 1
USUAL_SCALE = 1_000_000  # nanoseconds in a tick
MAX_HEADER_BYTES = 256 * 1024
MAX_ELEMENTS = 20_000


@dataclass(frozen=True)
class Element:
    """One element; ``is_open`` when its size is unknown and ``end`` is the parent's."""

    kind: int
    start: int
    body: int
    end: int
    is_open: bool


def looks_like_webm(head: bytes) -> bool:
    """Return whether a file that begins with ``head`` claims to be of this family."""
    return head[:4] == MAGIC


def check_webm(handle: BinaryIO, size: int) -> list[Blank]:
    """Check a whole file; return the parts without playable content, to be blanked.

    Raises:
        NotAVideoError: it holds no moving pictures.
        UnplayableVideoError: it is Matroska, or browsers do not play its codec.
        DamagedVideoError: its structure is inconsistent.
    """
    walk = _Walk(handle)
    header = walk.read(0, size)
    if header.is_open:
        raise DamagedVideoError("header")
    _check_header(walk, header)
    segment = walk.read(header.end, size)
    if segment.kind != SEGMENT or segment.end != size:
        raise DamagedVideoError("segment")
    children: dict[int, list[Element]] = {}
    blocks = 0
    for part in walk.segment_children(segment):
        children.setdefault(part.kind, []).append(part)
        if part.kind == CLUSTER:
            blocks += walk.blocks(part)
    if len(children.get(INFO, ())) != 1 or len(children.get(TRACKS, ())) != 1 or not blocks:
        raise DamagedVideoError("parts")
    blanks = [_voided(part) for kind in NEEDLESS for part in children.get(kind, ())]
    blanks += _check_info(walk, children[INFO][0])
    _check_tracks(walk, children[TRACKS][0])
    return blanks


class _Walk:
    """Reads elements, and rejects a file that has too many of them."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self._left = MAX_ELEMENTS

    def read(self, position: int, limit: int) -> Element:
        """Read the header of the element at ``position``."""
        self._left -= 1
        self._handle.seek(position)
        head = self._handle.read(min(12, max(0, limit - position)))
        kind_width = _width(head, 0, 4)
        size_width = _width(head, kind_width, 8)
        if self._left < 0 or kind_width + size_width > len(head):
            raise DamagedVideoError("element")
        kind = int.from_bytes(head[:kind_width])
        size_bits = 7 * size_width
        length = int.from_bytes(head[kind_width : kind_width + size_width]) & ((1 << size_bits) - 1)
        body = position + kind_width + size_width
        is_open = length == (1 << size_bits) - 1
        end = limit if is_open else body + length
        if end > limit or (is_open and kind not in {SEGMENT, CLUSTER}):
            raise DamagedVideoError("size")
        return Element(kind, position, body, end, is_open)

    def children(self, parent: Element) -> Iterator[Element]:
        """Iterate over the children; they must end where the parent does."""
        position = parent.body
        while position < parent.end:
            child = self.read(position, parent.end)
            yield child
            position = child.end

    def segment_children(self, segment: Element) -> Iterator[Element]:
        """Iterate over the segment's children, finding the end of clusters of unknown size."""
        position = segment.body
        while position < segment.end:
            part = self.read(position, segment.end)
            if part.kind not in LEVEL_ONE:
                raise DamagedVideoError("part")
            if part.is_open:
                part = self._closed(part)
            yield part
            position = part.end

    def _closed(self, cluster: Element) -> Element:
        position = cluster.body
        while position < cluster.end:
            child = self.read(position, cluster.end)
            if child.kind in ENDS_CLUSTER:
                break
            position = child.end
        return Element(cluster.kind, cluster.start, cluster.body, position, is_open=False)

    def blocks(self, cluster: Element) -> int:
        """Count the cluster's blocks that have any content."""
        return sum(
            child.kind in {SIMPLE_BLOCK, BLOCK_GROUP} and child.end - child.body > 4
            for child in self.children(cluster)
        )

    def content(self, element: Element) -> bytes:
        """Return an element's bytes."""
        if element.end - element.body > MAX_HEADER_BYTES:
            raise DamagedVideoError("long")
        self._handle.seek(element.body)
        return self._handle.read(element.end - element.body)

    def values(self, parent: Element) -> dict[int, Element]:
        """Return the children by kind; the last one of several of a kind."""
        return {child.kind: child for child in self.children(parent)}

    def integer(self, element: Element | None, otherwise: int = 0) -> int:
        """Return an unsigned integer element's value."""
        if element is None:
            return otherwise
        if element.end - element.body > 8:
            raise DamagedVideoError("integer")
        return int.from_bytes(self.content(element))


def _width(head: bytes, at: int, max_width: int) -> int:
    """Return how many bytes the number at ``at`` takes, by its leading zero bits."""
    if at >= len(head) or head[at] == 0:
        raise DamagedVideoError("number")
    width = 9 - head[at].bit_length()
    if width > max_width:
        raise DamagedVideoError("number")
    return width


def _check_header(walk: _Walk, header: Element) -> None:
    values = walk.values(header)
    doc_type = values.get(DOC_TYPE)
    if doc_type is None or walk.integer(values.get(READ_VERSION), 1) != 1:
        raise DamagedVideoError("header")
    if walk.content(doc_type).rstrip(b"\0") != b"webm":
        raise UnplayableVideoError
    if walk.integer(values.get(DOC_READ_VERSION), 1) > 4:
        raise UnplayableVideoError


def _check_info(walk: _Walk, info: Element) -> list[Blank]:
    values = walk.values(info)
    scale = walk.integer(values.get(TIMESTAMP_SCALE), USUAL_SCALE)
    duration = values.get(DURATION)
    if not scale:
        raise DamagedVideoError("scale")
    if duration is not None:
        content = walk.content(duration)
        if len(content) not in {4, 8}:
            raise DamagedVideoError("duration")
        check_length(struct.unpack(">f" if len(content) == 4 else ">d", content)[0] * scale / 1e9)
    return [_voided(child) for kind, child in values.items() if kind in {TITLE, VOID}]


def _check_tracks(walk: _Walk, tracks: Element) -> None:
    codecs = []
    for entry in walk.children(tracks):
        if entry.kind != TRACK_ENTRY:
            continue
        values = walk.values(entry)
        if walk.integer(values.get(TRACK_TYPE)) != MOVING_PICTURES:
            continue
        if CODEC not in values or VIDEO not in values:
            raise DamagedVideoError("track")
        codecs.append(walk.content(values[CODEC]).rstrip(b"\0"))
        sides = walk.values(values[VIDEO])
        check_sides(walk.integer(sides.get(WIDTH)), walk.integer(sides.get(HEIGHT)))
    if not codecs:
        raise NotAVideoError
    if not PLAYABLE.issuperset(codecs):
        raise UnplayableVideoError


def _voided(element: Element) -> Blank:
    """Return the blank that makes ``element`` a Void of the same length."""
    length = element.end - element.start
    if length >= 9:
        header = bytes([VOID]) + (length - 9 | 1 << 56).to_bytes(8)
    else:
        header = bytes([VOID, length - 2 | 0x80])
    return Blank(element.start, header, element.end)
