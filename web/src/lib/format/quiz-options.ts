import { isRecord } from "@/lib/device/storage";

export interface QuizOption {
  /** The value sent: A, B, C or D. */
  key: string;
  text: string;
}

/**
 * A question's options in the order of their keys.
 *
 * They are sent as a JSON string (spec 3); an object is accepted too.
 */
export function readOptions(options: unknown): QuizOption[] {
  const parsed = typeof options === "string" ? parse(options) : options;
  if (!isRecord(parsed)) {
    return [];
  }
  return Object.entries(parsed)
    .filter((pair): pair is [string, string] => typeof pair[1] === "string")
    .map(([key, text]) => ({ key, text }))
    .sort((first, second) => first.key.localeCompare(second.key));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The option of a pressed key: 1-4 by place, A-D by name; null for every other key. */
export function optionForKey(options: QuizOption[], event: KeyboardEvent): QuizOption | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
    return null;
  }
  const pressed = event.key.toUpperCase();
  const place = /^[1-9]$/.test(pressed) ? options[Number(pressed) - 1] : undefined;
  return place ?? options.find(({ key }) => key === pressed) ?? null;
}
