/** A word that no line of a column has room for; numbers, such as references, are so sooner. */
const LONG_WORD = /(\S{17,}|(?=\S*\d)\S{12,})/;

/** Whether a text has a word that no line of a column has room for. */
export function hasLongWord(text: string): boolean {
  return LONG_WORD.test(text);
}

/** A text of which only words may be broken that no line of a column has room for. */
export function LongWords({ text }: { text: string }) {
  const parts = text.split(LONG_WORD);
  return parts.length === 1
    ? text
    : parts.map((part, index) =>
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
