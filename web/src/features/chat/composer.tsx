import { Send, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { CHAT_MAX_LENGTHS } from "@/api/max-lengths.gen";
import type { Tab } from "@/features/chat/chat-machine";
import { clearDraft, type Draft, useDraft } from "@/features/chat/chat-memory";
import type { Quote } from "@/features/chat/events";
import { MentionList, optionId } from "@/features/chat/mention-list";
import { DELETED } from "@/features/chat/message-details";
import type { Room } from "@/features/chat/room";
import { isSlowed, SlowModeNote } from "@/features/chat/slow-mode";
import { useMentions } from "@/features/chat/use-mentions";
import { formatCount } from "@/lib/format/counts";
import { displayName } from "@/lib/format/names";
import { useMember } from "@/lib/session/session";

const COUNT_FROM = CHAT_MAX_LENGTHS.message - 100;
/** Reported by input methods instead of a key. */
const COMPOSING_KEY = 229;

interface ComposerProps {
  tab: Tab;
  /** The room's name. */
  name: string;
  /** The room, as calls name it. */
  room: string;
  /** Its recently deleted messages, and its slow mode. */
  state: Room;
  onSend: (text: string, replyTo: Quote | null, mentions: readonly string[]) => void;
}

/** The message field: grows with the text, survives reloads, Enter sends. */
export function Composer({ tab, name, room, state, onSend }: ComposerProps) {
  const { id, club } = useMember();
  const [draft, change] = useDraft(id, club, tab);
  const { replyTo } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const counterId = useId();
  const listId = useId();
  const mentions = useMentions({ field, room, draft, change });
  const isListing = mentions.people.length > 0;
  useGrowth(field, draft.text);
  useFocusOnReply(field, replyTo?.id);
  useWordless(replyTo, state.hiddenIds, change);
  const slowId = useId();
  const [attempts, setAttempts] = useState(0);
  const isWaiting = isSlowed(state);
  const text = draft.text.trim();
  const letters = Array.from(text).length;
  const isTooLong = letters > CHAT_MAX_LENGTHS.message;
  const isCounted = letters >= COUNT_FROM;
  const send = () => {
    if (isWaiting) {
      setAttempts((count) => count + 1);
    } else if (text !== "" && !isTooLong) {
      onSend(text, replyTo, mentions.mentionsIn(text));
      clearDraft(id, club, tab);
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
      {replyTo === null ? null : (
        <Answered quote={replyTo} onUnquote={() => change({ replyTo: null })} />
      )}
      <textarea
        ref={field}
        className="input"
        rows={1}
        placeholder="Type a message..."
        aria-label={`Message to ${name}`}
        aria-invalid={isTooLong || undefined}
        aria-describedby={idsOf([state.slowSeconds > 0, slowId], [isCounted, counterId])}
        aria-autocomplete="list"
        aria-controls={isListing ? listId : undefined}
        aria-activedescendant={isListing ? optionId(listId, mentions.active) : undefined}
        enterKeyHint="send"
        value={draft.text}
        onChange={(event) => {
          change({ text: event.target.value });
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
        disabled={text === "" || isTooLong || isWaiting}
        // The field keeps the focus, so that a phone's keyboard stays open.
        onPointerDown={(event) => event.preventDefault()}
      >
        <Send aria-hidden="true" />
      </button>
      <SlowModeNote id={slowId} room={state} attempts={attempts} />
      {isCounted ? (
        <p id={counterId} className={isTooLong ? "field-error" : "field-hint"}>
          {formatCount(letters)} of {formatCount(CHAT_MAX_LENGTHS.message)} characters
        </p>
      ) : null}
    </form>
  );
}

/** The ids of those descriptions that are on screen. */
function idsOf(...descriptions: [isShown: boolean, id: string][]): string | undefined {
  const shown = descriptions.filter(([isShown]) => isShown).map(([, id]) => id);
  return shown.length > 0 ? shown.join(" ") : undefined;
}

/** Enter alone sends; not with Shift, and not while an input method composes. */
function isSending(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !event.shiftKey && !isComposing(event);
}

function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === COMPOSING_KEY;
}

interface AnsweredProps {
  quote: Quote;
  onUnquote: () => void;
}

/** The quoted message above the text, and a button that removes it. */
function Answered({ quote: { lastName, firstName, excerpt }, onUnquote }: AnsweredProps) {
  return (
    <div className="composer-quote">
      <div className={excerpt === null ? "chat-answered is-gone" : "chat-answered"}>
        {excerpt === null ? (
          DELETED
        ) : (
          <>
            <span className="visually-hidden">Answer to </span>
            <b>{displayName(lastName, firstName)}</b>
            <span>{excerpt}</span>
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

/** Starting a reply focuses the field; returning to a draft does not. */
function useFocusOnReply(
  field: React.RefObject<HTMLTextAreaElement | null>,
  id: string | undefined,
): void {
  const known = useRef(id);
  useEffect(() => {
    if (id !== undefined && id !== known.current) {
      field.current?.focus();
    }
    known.current = id;
  }, [field, id]);
}

/** A quote loses its text once the message is deleted, also on a later return. */
function useWordless(
  replyTo: Quote | null,
  hiddenIds: readonly string[],
  change: (change: Partial<Draft>) => void,
): void {
  const isOutdated = replyTo !== null && replyTo.excerpt !== null && hiddenIds.includes(replyTo.id);
  useEffect(() => {
    if (isOutdated) {
      change({ replyTo: { ...replyTo, excerpt: null } });
    }
  });
}

/** As high as its text; the style sheet sets the maximum. */
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
