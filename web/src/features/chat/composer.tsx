import { Send, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef } from "react";
import type { Tab } from "@/features/chat/chat-machine";
import { useDraft } from "@/features/chat/chat-memory";
import type { ChatMessage } from "@/features/chat/events";
import { MentionList, optionId } from "@/features/chat/mention-list";
import { DELETED } from "@/features/chat/message-parts";
import { useMentions } from "@/features/chat/use-mentions";
import { formatCount } from "@/lib/counts";
import { displayName } from "@/lib/names";
import { useMember } from "@/lib/session";

const MOST_LETTERS = 1000;
const COUNT_FROM = 900;
/** What keyboards of composed scripts report instead of a key. */
const COMPOSING_KEY = 229;

interface ComposerProps {
  tab: Tab;
  /** The room's name. */
  name: string;
  /** The room, as calls name it. */
  room: string;
  /** The message that is being answered. */
  answered: ChatMessage | null;
  /** It was deleted meanwhile. */
  isGone: boolean;
  onSend: (text: string, mentions: readonly string[]) => void;
  onUnquote: () => void;
}

/** Where a message is typed: grows with it, keeps it through a reload, Enter sends. */
export function Composer(props: ComposerProps) {
  const { tab, name, room, answered, onSend } = props;
  const member = useMember();
  const [draft, setDraft] = useDraft(member.id, tab);
  const field = useRef<HTMLTextAreaElement>(null);
  const counterId = useId();
  const listId = useId();
  const mentions = useMentions({ field, room, draft, setDraft });
  const isListing = mentions.people.length > 0;
  useGrowth(field, draft);
  useFocusOn(field, answered);
  const text = draft.trim();
  const letters = Array.from(text).length;
  const isTooLong = letters > MOST_LETTERS;
  const send = () => {
    if (text !== "" && !isTooLong) {
      onSend(text, mentions.mentionsIn(text));
      mentions.forget();
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
      <MentionList
        id={listId}
        people={mentions.people}
        active={mentions.active}
        onChoose={mentions.choose}
      />
      {answered === null ? null : <Answered {...props} answered={answered} />}
      <textarea
        ref={field}
        className="input"
        rows={1}
        placeholder="Type a message..."
        aria-label={`Message to ${name}`}
        aria-invalid={isTooLong || undefined}
        aria-describedby={letters >= COUNT_FROM ? counterId : undefined}
        aria-autocomplete="list"
        aria-controls={isListing ? listId : undefined}
        aria-activedescendant={isListing ? optionId(listId, mentions.active) : undefined}
        enterKeyHint="send"
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          mentions.follow();
        }}
        onSelect={mentions.follow}
        onKeyDown={(event) => {
          if (!isComposing(event) && mentions.answerKey(event)) {
            event.preventDefault();
          } else if (isSending(event)) {
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
  return event.key === "Enter" && !event.shiftKey && !isComposing(event);
}

function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === COMPOSING_KEY;
}

interface AnsweredProps {
  answered: ChatMessage;
  isGone: boolean;
  onUnquote: () => void;
}

/** What is being answered, above the text, and the way out of it. */
function Answered({ answered, isGone, onUnquote }: AnsweredProps) {
  return (
    <div className="composer-quote">
      <div className={isGone ? "chat-answered is-gone" : "chat-answered"}>
        {isGone ? (
          DELETED
        ) : (
          <>
            <span className="visually-hidden">Answer to </span>
            <b>{displayName(answered.lastName, answered.firstName)}</b>
            <span>{answered.text}</span>
          </>
        )}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label="Remove the quote"
        onClick={onUnquote}
      >
        <X aria-hidden="true" />
      </button>
    </div>
  );
}

/** Who chooses a message to answer goes on by typing. */
function useFocusOn(
  field: React.RefObject<HTMLTextAreaElement | null>,
  answered: ChatMessage | null,
): void {
  const id = answered?.id;
  useEffect(() => {
    if (id !== undefined) {
      field.current?.focus();
    }
  }, [field, id]);
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
