/** Messages that the server did not send to this phone, by their first and last `seq`. */
export interface SkippedRange {
  from: number;
  to: number;
}

type Ranges = readonly SkippedRange[];

/** The ranges without those numbers; the same ranges if they contain none. */
export function cut(ranges: Ranges, from: number, to: number): Ranges {
  return ranges.some((range) => range.from <= to && range.to >= from)
    ? ranges.flatMap((range) =>
        [
          { from: range.from, to: Math.min(range.to, from - 1) },
          { from: Math.max(range.from, to + 1), to: range.to },
        ].filter((part) => part.from <= part.to),
      )
    : ranges;
}

/** The ranges without the messages that are here. */
export function cutKnown(ranges: Ranges, messages: readonly { seq: number }[]): Ranges {
  return ranges.length === 0
    ? ranges
    : messages.reduce((left, { seq }) => cut(left, seq, seq), ranges);
}

/** The ranges and one more, which is newer information than they are. */
export function joined(ranges: Ranges, added: Ranges): Ranges {
  const left = added.reduce((kept, { from, to }) => cut(kept, from, to), ranges);
  return [...left, ...added].sort((first, second) => first.from - second.from);
}

/** The last number of the range that follows `seq` directly, or `seq`. */
export function overSkipped(ranges: Ranges, seq: number): number {
  return ranges.reduce((last, { from, to }) => (from === last + 1 ? to : last), seq);
}

/** The number of messages after `seq` that were not sent. */
export function skippedAfter(ranges: Ranges, seq: number): number {
  return ranges.reduce(
    (count, { from, to }) => count + Math.max(0, to - Math.max(from - 1, seq)),
    0,
  );
}
