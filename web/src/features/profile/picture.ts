import { packCanvas } from "@/lib/device/canvas";

const LARGEST_SIDE_PIXELS = 512;
const QUALITY = 0.86;
const HEIC = /hei[cf]/i;

const NOT_AN_IMAGE = "Please choose an image file.";
const CANNOT_OPEN = "This picture could not be opened. Please choose another one.";
const CANNOT_OPEN_HEIC =
  "This browser cannot open HEIC pictures. Please choose a JPEG or PNG, or a screenshot of it.";
const CANNOT_CROP = "This picture could not be cropped. Please choose another one.";

/** A square of a picture, in percent of its width and height. */
interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Check that this browser can show a chosen picture.
 *
 * Throws:
 *   Error: it is not an image, or cannot be decoded; the message is for the member.
 */
export async function checkPicture(file: File): Promise<void> {
  const isHeic = HEIC.test(file.type) || /\.hei[cf]$/i.test(file.name);
  if (!file.type.startsWith("image/") && !isHeic) {
    throw new Error(NOT_AN_IMAGE);
  }
  const address = URL.createObjectURL(file);
  try {
    await decode(address);
  } catch (error) {
    throw new Error(isHeic ? CANNOT_OPEN_HEIC : CANNOT_OPEN, { cause: error });
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function decode(address: string): Promise<void> {
  const image = new Image();
  image.src = address;
  await image.decode();
  if (image.naturalWidth === 0 || image.naturalHeight === 0) {
    throw new Error(CANNOT_OPEN);
  }
}

/**
 * Crop a square from a shown picture, at most 512 pixels wide: some tens of kilobytes to send.
 *
 * WebP if the browser can write it, else JPEG on white. Drawing drops the location and time of the
 * picture, and applies its orientation.
 *
 * Throws:
 *   Error: the browser could not draw or encode it; the message is for the member.
 */
export async function squareOf(image: HTMLImageElement, area: Area): Promise<File> {
  const side = Math.max(1, Math.round((area.width / 100) * image.naturalWidth));
  const left = (area.x / 100) * image.naturalWidth;
  const top = (area.y / 100) * image.naturalHeight;
  const canvas = document.createElement("canvas");
  canvas.width = Math.min(side, LARGEST_SIDE_PIXELS);
  canvas.height = canvas.width;
  const pencil = canvas.getContext("2d");
  if (pencil === null) {
    throw new Error(CANNOT_CROP);
  }
  pencil.fillStyle = "#fff";
  pencil.fillRect(0, 0, canvas.width, canvas.height);
  pencil.imageSmoothingQuality = "high";
  pencil.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height);
  return encode(canvas);
}

async function encode(canvas: HTMLCanvasElement): Promise<File> {
  const packed = await packCanvas(canvas, QUALITY);
  if (packed === null) {
    throw new Error(CANNOT_CROP);
  }
  const ending = packed.type === "image/webp" ? "webp" : "jpg";
  return new File([packed], `avatar.${ending}`, { type: packed.type });
}
