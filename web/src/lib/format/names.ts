const MAX_PRODUCT_LETTERS = 16;
const AVATAR_COLOURS = 6;
export const TOP_RANK = "king-of-fans";
const CODE_OF_A = 65;

/**
 * The member's name on the dashboard: last name, then first name.
 *
 * A first name of several words loses its last word; a single word stays, since the literal rule of
 * the specification would leave nothing of it.
 */
export function displayName(lastName: string, firstName: string): string {
  const words = firstName.trim().split(/\s+/);
  const kept = words.length > 1 ? words.slice(0, -1) : words;
  return `${lastName} ${kept.join(" ")}`.trim();
}

/** A badge or status word as a label: `king-of-fans` becomes `King Of Fans`. */
export function spokenWords(slug: string): string {
  return slug
    .split(/[-_\s]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** A rank's name; the top one is spelled as in the specification's ladder. */
export function rankName(slug: string): string {
  return slug === TOP_RANK ? "King of Fans" : spokenWords(slug);
}

/** A product's name on cards: cut at 16 letters. */
export function shortName(name: string): string {
  const letters = Array.from(name);
  return letters.length > MAX_PRODUCT_LETTERS
    ? `${letters.slice(0, MAX_PRODUCT_LETTERS).join("").trimEnd()}…`
    : name;
}

/** The letter on a member's avatar. */
export function initialOf(name: string): string {
  return (Array.from(name.trim())[0] ?? "?").toUpperCase();
}

/** The index of an initial's avatar colour, of six; letters outside A-Z count too. */
export function avatarColour(name: string): number {
  const code = initialOf(name).codePointAt(0) ?? CODE_OF_A;
  const step = (code - CODE_OF_A) % AVATAR_COLOURS;
  return (step + AVATAR_COLOURS) % AVATAR_COLOURS;
}

/** The letters on a drawn crest: the first letters of the first two words. */
export function crestLetters(clubName: string): string {
  const words = clubName.trim().split(/\s+/).slice(0, 2);
  return words.map((word) => initialOf(word)).join("");
}
