/** A word too long for a column's line; numbers, such as references, reach that sooner. */
const LONG_WORD = /(\S{17,}|(?=\S*\d)\S{12,})/;

/** Whether a text has a word too long for a column's line. */
export function hasLongWord(text: string): boolean {
  return LONG_WORD.test(text);
}

/** An order's number, which has a hyphen, but never breaks at it. */
const ORDER_NUMBER = /(FC-[A-Z2-9]{6}(?!\w))/;

/** A text that breaks only inside words too long for a column's line. */
export function LongWords({ text }: { text: string }) {
  const parts = text.split(ORDER_NUMBER);
  return parts.length === 1 ? (
    <BrokenWords text={text} />
  ) : (
    parts.map((part, index) =>
      index % 2 === 0 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name than their place
        <BrokenWords key={index} text={part} />
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name than their place
        <span key={index} className="is-whole">
          {part}
        </span>
      ),
    )
  );
}

function BrokenWords({ text }: { text: string }) {
  const pieces = text.split(LONG_WORD);
  return pieces.length === 1
    ? text
    : pieces.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: words have no other name than their place
          <span key={index} className="is-long">
            {part}
          </span>
        ),
      );
}
