const INK = "#0F1A15";
const PAPER = "#FFFFFF";
const HEX = /^#([0-9a-f]{6})$/i;
const ENOUGH_FOR_TEXT = 4.5;

/** The product's own colours, for members whose club has none yet. */
export const DEFAULT_COLOURS: [string, string] = ["#0A6239", "#FFC62E"];

function luminance(hex: string): number {
  const digits = HEX.exec(hex)?.[1] ?? "000000";
  const channels = [0, 2, 4].map((start) => {
    const share = Number.parseInt(digits.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours by WCAG 2: 1 to 21. */
export function contrast(first: string, second: string): number {
  const [light, dark] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The readable text colour on `background`: white if it reaches 4.5, else ink. */
export function readableOn(background: string): string {
  return contrast(PAPER, background) >= ENOUGH_FOR_TEXT ? PAPER : INK;
}

/** A club's colours if both are valid, else the product's. */
export function clubPair(colours: readonly string[] | null | undefined): [string, string] {
  const [first, second] = colours ?? [];
  return first && second && HEX.test(first) && HEX.test(second) ? [first, second] : DEFAULT_COLOURS;
}

/** The custom properties that apply a club's colours to a part of the page. */
export function clubStyle(colours: readonly string[] | null | undefined): Record<string, string> {
  const [first, second] = clubPair(colours);
  return {
    "--club-a": first,
    "--club-b": second,
    "--club-on-a": readableOn(first),
  };
}
