/** A word too long for a column's line; numbers, such as references, reach that sooner. */
const LONG_WORD = /(\S{17,}|(?=\S*\d)\S{12,})/;
/** An order's number, which has a hyphen, but never breaks at it. */
const ORDER_NUMBER = /(\bFC-[A-Z2-9]{6}\b)/;

/** Whether a text has a word too long for a column's line. */
export function hasLongWord(text: string): boolean {
  return LONG_WORD.test(text);
}

/** A text that breaks only inside words too long for a column's line. */
export function LongWords({ text }: { text: string }) {
  const parts: Part[] = text
    .split(LONG_WORD)
    .flatMap((part, index) =>
      index % 2 === 0 ? wholeNumbers(part) : [{ text: part, className: "is-long" }],
    );
  if (parts.every(({ className }) => className === undefined)) {
    return text;
  }
  // In one element: a flex or grid container would lay the words out one by one.
  return (
    <span>
      {parts.map(({ text: part, className }, index) =>
        className === undefined ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: words have no other name than their place
          <span key={index} className={className}>
            {part}
          </span>
        ),
      )}
    </span>
  );
}

interface Part {
  text: string;
  className?: "is-long" | "is-whole";
}

function wholeNumbers(text: string): Part[] {
  return text
    .split(ORDER_NUMBER)
    .map((part, index) =>
      index % 2 === 0 ? { text: part } : { text: part, className: "is-whole" },
    );
}
