const FIRST_FONTS = ["800 1em 'Big Shoulders'", "400 1em 'Noto Sans'"];

/**
 * Fetch the fonts of the first screen, behind its script and before it is drawn.
 *
 * A preload in the page would share a slow connection with the script and hold back the first
 * paint by what the fonts weigh; until they are there their stand-ins keep the same places.
 */
export function startFonts(): void {
  for (const font of FIRST_FONTS) {
    void document.fonts?.load(font).catch(() => undefined);
  }
}
