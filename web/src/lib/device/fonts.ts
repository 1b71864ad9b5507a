const FIRST_FONTS = ["800 1em 'Big Shoulders'", "400 1em 'Noto Sans'"];

/**
 * Fetch the fonts of the first screen, after its script and before it renders.
 *
 * A preload in the page would share a slow connection with the script and delay the first paint by
 * the size of the fonts; until they load, fallback fonts hold the same places.
 */
export function startFonts(): void {
  for (const font of FIRST_FONTS) {
    void document.fonts?.load(font).catch(() => undefined);
  }
}
