import { counted } from "@/lib/format/counts";

/** What is counted: in the singular, or both forms where the plural is not just an s more. */
export type Noun = string | readonly [one: string, many: string];

/** `1 order`, `2,000 entries`. */
export function countOf(count: number, noun: Noun): string {
  return typeof noun === "string" ? counted(count, noun) : counted(count, ...noun);
}
