/**
 * The canvas as WebP, or as JPEG if the browser cannot write WebP; null if it can do neither.
 *
 * Browsers that cannot write a type return a PNG instead.
 */
export async function packCanvas(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  const webp = await blobOf(canvas, "image/webp", quality);
  return webp?.type === "image/webp" ? webp : blobOf(canvas, "image/jpeg", quality);
}

/** From the best quality to the lowest acceptable one. */
const JPEG_QUALITIES = [0.92, 0.8, 0.65, 0.5];

/** The canvas as the best JPEG of at most `maxBytes`; null if none is as small. */
export async function packJpeg(canvas: HTMLCanvasElement, maxBytes: number): Promise<Blob | null> {
  for (const quality of JPEG_QUALITIES) {
    const jpeg = await blobOf(canvas, "image/jpeg", quality);
    if (jpeg?.type === "image/jpeg" && jpeg.size <= maxBytes) {
      return jpeg;
    }
  }
  return null;
}

function blobOf(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}
