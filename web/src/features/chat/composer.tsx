import { Send } from "lucide-react";
import { type KeyboardEvent, useId, useLayoutEffect, useRef } from "react";
import type { Tab } from "@/features/chat/chat-machine";
import { useDraft } from "@/features/chat/chat-memory";
import { formatCount } from "@/lib/counts";
import { useMember } from "@/lib/session";

const MOST_LETTERS = 1000;
const COUNT_FROM = 900;
/** What keyboards of composed scripts report instead of a key. */
const COMPOSING_KEY = 229;

interface ComposerProps {
  tab: Tab;
  /** The room's name. */
  name: string;
  onSend: (text: string) => void;
}

/** Where a message is typed: grows with it, keeps it through a reload, Enter sends. */
export function Composer({ tab, name, onSend }: ComposerProps) {
  const member = useMember();
  const [draft, setDraft] = useDraft(member.id, tab);
  const field = useRef<HTMLTextAreaElement>(null);
  const counterId = useId();
  useGrowth(field, draft);
  const text = draft.trim();
  const letters = Array.from(text).length;
  const isTooLong = letters > MOST_LETTERS;
  const send = () => {
    if (text !== "" && !isTooLong) {
      onSend(text);
      setDraft("");
    }
  };
  return (
    <form
      className="chat-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        className="input"
        rows={1}
        placeholder="Type a message..."
        aria-label={`Message to ${name}`}
        aria-invalid={isTooLong || undefined}
        aria-describedby={letters >= COUNT_FROM ? counterId : undefined}
        enterKeyHint="send"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (isSending(event)) {
            event.preventDefault();
            send();
          }
        }}
      />
      <button
        type="submit"
        className="button button-primary"
        aria-label="Send"
        disabled={text === "" || isTooLong}
        // The field keeps the focus, and with it a phone keeps its keyboard.
        onPointerDown={(event) => event.preventDefault()}
      >
        <Send aria-hidden="true" />
      </button>
      {letters >= COUNT_FROM ? (
        <p id={counterId} className={isTooLong ? "field-error" : "field-hint"}>
          {formatCount(letters)} of 1,000 characters
        </p>
      ) : null}
    </form>
  );
}

/** Enter alone sends; not with Shift, and not while letters are being composed. */
function isSending(event: KeyboardEvent): boolean {
  const isComposing = event.nativeEvent.isComposing || event.keyCode === COMPOSING_KEY;
  return event.key === "Enter" && !event.shiftKey && !isComposing;
}

/** As high as its text; the stylesheet says where that ends. */
function useGrowth(field: React.RefObject<HTMLTextAreaElement | null>, draft: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height
  useLayoutEffect(() => {
    const element = field.current;
    if (element !== null) {
      element.style.height = "auto";
      const borders = element.offsetHeight - element.clientHeight;
      element.style.height = `${element.scrollHeight + borders}px`;
    }
  }, [field, draft]);
}
