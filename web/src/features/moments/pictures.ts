import { LARGEST_PICTURE_BYTES } from "@/features/moments/rules";
import { packCanvas } from "@/lib/device/canvas";

const MAX_SIDE_PIXELS = 1280;
const QUALITIES = [0.85, 0.7, 0.5];
const SERVER_READS = ["image/jpeg", "image/png", "image/webp"];
const TIMEOUT_MS = 10_000;

/** A failed picture, with a sentence for the member. */
export class PictureError extends Error {}

/**
 * A picture within the server's limits: JPEG, PNG or WebP, at most 1,280 pixels and one megabyte.
 *
 * A picture that fits is unchanged; any other is redrawn smaller.
 *
 * Throws:
 *   PictureError: the browser cannot read it.
 */
export async function fitPicture(file: File): Promise<File> {
  const address = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode().catch(() => {
      throw new PictureError("This picture cannot be read. Please choose another one.");
    });
    const { naturalWidth: width, naturalHeight: height } = picture;
    const fits = Math.max(width, height) <= MAX_SIDE_PIXELS && file.size <= LARGEST_PICTURE_BYTES;
    return fits && SERVER_READS.includes(file.type)
      ? file
      : await drawn(picture, { width, height }, file);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * The frame of a video at `seconds`, or its last one if it is shorter.
 *
 * Throws:
 *   PictureError: the browser cannot play it, or takes too long.
 */
export async function frameOf(file: File, seconds: number): Promise<File> {
  const address = URL.createObjectURL(file);
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.preload = "auto";
  try {
    const loaded = videoEvent(video, "loadeddata");
    video.src = address;
    video.load();
    await loaded;
    const found = videoEvent(video, "seeked");
    video.currentTime = Number.isFinite(video.duration)
      ? Math.min(seconds, video.duration)
      : seconds;
    await found;
    return await drawn(video, { width: video.videoWidth, height: video.videoHeight }, file);
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(address);
  }
}

/** Wait for an event of a video that may never be able to play. */
function videoEvent(video: HTMLVideoElement, name: "loadeddata" | "seeked"): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () =>
      reject(new PictureError("No picture could be taken from this video. Please choose one."));
    const timer = setTimeout(giveUp, TIMEOUT_MS);
    const finish = (then: () => void) => () => {
      clearTimeout(timer);
      then();
    };
    video.addEventListener(name, finish(resolve), { once: true });
    video.addEventListener("error", finish(giveUp), { once: true });
  });
}

/** Draw it within the limits and encode it as WebP, or as JPEG if the browser cannot write WebP. */
async function drawn(
  source: HTMLImageElement | HTMLVideoElement,
  { width, height }: { width: number; height: number },
  from: File,
): Promise<File> {
  const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  if (context !== null && canvas.width > 0 && canvas.height > 0) {
    // JPEG has no transparency: transparent pixels become white, not black.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
    for (const quality of QUALITIES) {
      const packed = await packCanvas(canvas, quality);
      if (packed !== null && packed.size <= LARGEST_PICTURE_BYTES) {
        return named(packed, from);
      }
    }
  }
  throw new PictureError("This picture cannot be made small enough. Please choose another one.");
}

/** The source's time is kept, so that the same picture, redrawn, is recognised as the same. */
function named(packed: Blob, { name, lastModified }: File): File {
  const stem = name.replace(/\.[^.]*$/, "") || "thumbnail";
  const ending = packed.type === "image/webp" ? "webp" : "jpg";
  return new File([packed], `${stem}.${ending}`, { type: packed.type, lastModified });
}
