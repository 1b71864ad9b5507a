import type { ReactionKey } from "@/api/wire";
import type { ChatMessage, Quote } from "@/features/chat/events";
import { type Counts, REACTIONS } from "@/features/chat/reactions";
import { formatCount } from "@/lib/format/counts";
import { displayName } from "@/lib/format/names";

export const DELETED = "Message deleted";

interface QuotedProps {
  quote: Quote;
  onFind: (messageId: string) => void;
}

/** The quoted message; pressing it scrolls there. */
export function Quoted({ quote, onFind }: QuotedProps) {
  const { id, excerpt } = quote;
  if (excerpt === null) {
    return <p className="chat-answered is-gone">{DELETED}</p>;
  }
  const name = displayName(quote.lastName, quote.firstName);
  return (
    <button
      type="button"
      className="chat-answered"
      aria-label={`Answer to ${name}: ${excerpt}`}
      onClick={() => onFind(id)}
    >
      <b>{name}</b>
      <span>{excerpt}</span>
    </button>
  );
}

interface ReactionRowProps {
  message: ChatMessage;
  /** Not for one's own messages, to which only others react. */
  onReact?: ((key: ReactionKey | null) => void) | undefined;
}

/** All reactions to a message, with the member's own pressed. */
export function ReactionRow({ message, onReact }: ReactionRowProps) {
  const { counts, mine } = message;
  const shown = REACTIONS.filter(({ key }) => (counts[key] ?? 0) > 0);
  if (shown.length === 0) {
    return null;
  }
  return (
    <ul className="chat-reactions" aria-label="Reactions">
      {shown.map(({ key, emoji, name }) => (
        <li key={key}>
          {onReact === undefined ? (
            <span role="img" aria-label={spoken(name, counts, key)}>
              <Face emoji={emoji} count={counts[key] ?? 0} />
            </span>
          ) : (
            <button
              type="button"
              aria-pressed={mine === key}
              aria-label={spoken(name, counts, key)}
              onClick={() => onReact(mine === key ? null : key)}
            >
              <Face emoji={emoji} count={counts[key] ?? 0} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Face({ emoji, count }: { emoji: string; count: number }) {
  return (
    <>
      <span aria-hidden="true">{emoji}</span> <span aria-hidden="true">{formatCount(count)}</span>
    </>
  );
}

function spoken(name: string, counts: Counts, key: ReactionKey): string {
  return `${name}, ${formatCount(counts[key] ?? 0)}`;
}
