"""Decodes members' pictures and re-encodes them, on a separate thread.

Only pixels survive: locations, camera data, comments and other metadata are dropped, and the result
is always WebP. Limits are checked on the header before a pixel is decoded.
"""

import asyncio
import io
import struct
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import BinaryIO

from PIL import Image, ImageFile, ImageOps

from api.foundation.core.errors import DomainError, TooManyRequestsError
from api.foundation.core.processes import lower_priority
from api.foundation.database.rate_limit import Limit, RateLimiter
from api.foundation.security.fair_queue import FairQueue
from api.foundation.security.network import Sender

FORMATS = ("JPEG", "PNG", "WEBP")
JPEG, PNG, RIFF, WEBP = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"WEBP"
MAX_PIXELS = 24_000_000  # what phones take by default, 16 megapixels, and some
# Decoded pixels per member, in thousands: a small file can hold very many of them.
DECODED_KILOPIXELS = Limit("decoded-pictures", 60_000, timedelta(minutes=1))
MAX_SIDE_PIXELS = 12_000
MAX_SCANS = 24  # a progressive JPEG may ask for thousands, each a pass over all pixels
ORIENTATION = 0x0112
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
QUALITY = 80
QUEUE = 32


class NotAPictureError(DomainError):
    """The file is no JPEG, PNG or WebP."""

    status = 415
    code = "not_a_picture"
    message = "Please choose a JPEG, PNG or WebP picture."


class DamagedPictureError(DomainError):
    """It claims to be one, but cannot be decoded to its end or holds more than one picture.

    ``reason`` is for logs and tests.
    """

    status = 422
    code = "damaged_picture"
    message = "This picture is damaged or not a plain picture. Please choose another one."

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


class HugePictureError(DomainError):
    """It has more pixels than the limit."""

    status = 422
    code = "huge_picture"
    message = "This picture has too many pixels. Please choose a smaller one."


class TooManyPicturesError(TooManyRequestsError):
    """The member's pictures of the last minute have too many pixels in total."""

    code = "too_many_pictures"
    message = "You have sent many large pictures. Please wait a minute and try again."


@dataclass(frozen=True)
class Frame:
    """The target of a picture: ``side`` pixels at most, cropped to a square or uncropped."""

    side: int
    is_square: bool = False


class ImageProcessor:
    """Re-encodes one picture at a time, so that memory is bounded and other requests are served.

    Turns are shared round-robin among the uploading networks, and within each among its members.
    """

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter
        self._thread = ThreadPoolExecutor(
            1, thread_name_prefix="picture", initializer=lower_priority
        )
        self._queue = FairQueue(at_once=1, waiting=QUEUE)

    async def renew(self, source: BinaryIO, frame: Frame, sender: Sender) -> BinaryIO:
        """Return the picture in ``source`` as a new WebP.

        Raises:
            NotAPictureError: it is not a picture.
            DamagedPictureError: it is truncated or damaged.
            HugePictureError: it has too many pixels.
            TooManyPicturesError: the sender's pictures have too many pixels this minute.
            UnavailableError: too many pictures are waiting.
        """
        (renewed,) = await self.renew_all(source, (frame,), sender)
        return renewed

    async def renew_all(
        self, source: BinaryIO, frames: Sequence[Frame], sender: Sender
    ) -> list[BinaryIO]:
        """Return the picture in ``source`` as a new WebP for each of ``frames``, in one turn.

        Raises as ``renew``.
        """
        kilopixels = -(-await asyncio.to_thread(count_pixels, source) // 1000)
        async with (
            self._limiter.spent(
                DECODED_KILOPIXELS, sender.user_id, kilopixels, TooManyPicturesError
            ),
            self._queue.turn(sender.network, str(sender.user_id)),
        ):
            loop = asyncio.get_running_loop()
            return [
                await loop.run_in_executor(self._thread, decode, source, frame) for frame in frames
            ]

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def renew_picture(source: BinaryIO, frame: Frame) -> BinaryIO:
    """Return the picture in ``source`` checked, decoded, resized and re-encoded as WebP."""
    count_pixels(source)
    return decode(source, frame)


def count_pixels(source: BinaryIO) -> int:
    """Return the pixel count of the picture in ``source``; reads the header, decodes nothing.

    Raises:
        NotAPictureError: it is not a picture.
        DamagedPictureError: it is truncated or damaged.
        HugePictureError: it has too many pixels.
    """
    source.seek(0)
    content = source.read()
    _check_container(content)
    with _translated(), Image.open(io.BytesIO(content), formats=FORMATS) as picture:
        _check_sides(picture)
        return picture.width * picture.height


def decode(source: BinaryIO, frame: Frame) -> BinaryIO:
    """Return the already checked picture in ``source``, resized and re-encoded as WebP.

    Raises:
        DamagedPictureError: it cannot be decoded to its end.
    """
    source.seek(0)
    with _translated(), Image.open(io.BytesIO(source.read()), formats=FORMATS) as picture:
        picture.draft("RGB", (frame.side * 2, frame.side * 2))
        picture.load()
        fitted = _upright(_fit(_smooth(picture), frame), picture)
        fitted = fitted.convert("RGBA" if fitted.has_transparency_data else "RGB")
        bare = Image.new(fitted.mode, fitted.size)
        bare.paste(fitted)
        target = io.BytesIO()
        bare.save(target, "WEBP", quality=QUALITY, method=4)
    target.seek(0)
    return target


def _check_container(content: bytes) -> None:
    """Check what a decoder does not: that the file is one picture from first byte to last."""
    if content.startswith(JPEG):
        _check_jpeg(content)
    elif content.startswith(PNG):
        _check_png(content)
    elif content[:4] == RIFF and content[8:12] == WEBP:
        (length,) = struct.unpack_from("<I", content, 4)
        if length + 8 not in {len(content), len(content) - 1}:
            raise DamagedPictureError("length")
        if b"ANMF" in content[:4096]:
            raise DamagedPictureError("animation")
    else:
        raise NotAPictureError


def _check_jpeg(content: bytes) -> None:
    """Reject a JPEG without an end, with too many scans, or with another file appended.

    Cameras do append data to a picture (previews, short clips), which is dropped like all metadata.
    A file that a browser or an unpacker would run does not come from a camera.
    """
    end = content.rfind(b"\xff\xd9")
    if end < 0 or content.count(b"\xff\xda") > MAX_SCANS:
        raise DamagedPictureError("scans")
    behind = content[end + 2 :].lower()
    if any(
        mark in behind
        for mark in (b"<", b"pk\x03\x04", b"pk\x05\x06", b"%pdf", b"\x7felf", b"mz\x90")
    ):
        raise DamagedPictureError("behind")


def _check_png(content: bytes) -> None:
    """Check the chunks: correct checksums, one IEND at the very end, no bombs in the metadata."""
    position = len(PNG)
    while position < len(content):
        if position + 12 > len(content):
            raise DamagedPictureError("chunk")
        length, kind = struct.unpack_from(">I4s", content, position)
        end = position + 12 + length
        if end > len(content):
            raise DamagedPictureError("chunk")
        body = content[position + 8 : end - 4]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", content, end - 4)[0]:
            raise DamagedPictureError("sum")
        if kind in {b"acTL", b"fcTL"}:
            raise DamagedPictureError("animation")
        if kind == b"IEND":
            if end != len(content):
                raise DamagedPictureError("behind")
            return
        position = end
    raise DamagedPictureError("end")


def _check_sides(picture: ImageFile.ImageFile) -> None:
    width, height = picture.size
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE_PIXELS:
        raise HugePictureError
    if getattr(picture, "n_frames", 1) > 1 and picture.format != "JPEG":
        raise DamagedPictureError("animation")


def _upright(picture: Image.Image, original: Image.Image) -> Image.Image:
    """Rotate a picture as its metadata says; unreadable metadata rotates nothing."""
    try:
        turn = TURNS.get(original.getexif().get(ORIENTATION, 1))
    except Exception:  # the metadata reader leaks struct.error and others
        turn = None
    return picture if turn is None else picture.transpose(turn)


def _smooth(picture: Image.Image) -> Image.Image:
    """Return the picture in a mode that can be resampled; a large one is rarely copied for it."""
    if picture.mode in {"RGB", "RGBA", "L", "LA"} and "transparency" not in picture.info:
        return picture
    return picture.convert("RGBA" if picture.has_transparency_data else "RGB")


def _fit(picture: Image.Image, frame: Frame) -> Image.Image:
    if not frame.is_square:
        picture.thumbnail((frame.side, frame.side), Image.Resampling.LANCZOS)
        return picture
    side = min(frame.side, *picture.size)
    return ImageOps.fit(picture, (side, side), Image.Resampling.LANCZOS)


@contextmanager
def _translated() -> Iterator[None]:
    """Translate the decoder's errors on a hostile file.

    Raises:
        DamagedPictureError: the decoder failed.
        HugePictureError: the decoder's own guard against bombs was triggered.
    """
    try:
        yield
    except (NotAPictureError, DamagedPictureError, HugePictureError):
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise HugePictureError from error
    except Exception as error:  # the decoders leak struct.error, OverflowError and others
        raise DamagedPictureError(type(error).__name__) from error
