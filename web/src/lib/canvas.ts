/**
 * The canvas as WebP, or as JPEG where the browser cannot write WebP; null when it can do neither.
 *
 * Browsers that cannot write a type answer with a PNG instead.
 */
export async function packCanvas(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  const webp = await blobOf(canvas, "image/webp", quality);
  return webp?.type === "image/webp" ? webp : blobOf(canvas, "image/jpeg", quality);
}

function blobOf(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}
