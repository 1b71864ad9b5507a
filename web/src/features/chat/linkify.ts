/** A piece of a message: text, or a link. */
interface Piece {
  text: string;
  href: string | null;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"']+/gi;
/** Characters that end a sentence rather than an address. */
const TRAILING = /[.,;:!?…*_~]+$/;

/** Split a message into text and links; everything else that looks like a link stays text. */
export function linkify(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimmed(match[0]);
    if (hasHost(address)) {
      pieces.push({ text: text.slice(end, match.index), href: null });
      pieces.push({ text: address, href: address });
      end = match.index + address.length;
    }
  }
  pieces.push({ text: text.slice(end), href: null });
  return pieces.filter((piece) => piece.text !== "");
}

/** Without the sentence's end, and without a bracket that was opened before the address. */
function trimmed(found: string): string {
  const address = found.replace(TRAILING, "");
  const isUnmatched = address.endsWith(")") && countOf(address, ")") > countOf(address, "(");
  return isUnmatched ? trimmed(address.slice(0, -1)) : address;
}

function countOf(text: string, letter: string): number {
  return text.split(letter).length - 1;
}

function hasHost(address: string): boolean {
  return URL.canParse(address) && new URL(address).hostname.includes(".");
}
