import { Check, CircleAlert, Clock3, Ellipsis } from "lucide-react";
import { memo } from "react";
import type { ReactionKey } from "@/api/wire";
import { Avatar } from "@/components/avatar";
import { Button } from "@/components/button";
import type { ChatMessage } from "@/features/chat/events";
import { linkify } from "@/features/chat/linkify";
import { Quoted, ReactionRow } from "@/features/chat/message-details";
import type { Pending } from "@/features/chat/room";
import type { MessageRow, PendingRow } from "@/features/chat/rows";
import { useLongPress } from "@/features/chat/use-long-press";
import { formatTime } from "@/lib/format/dates";
import { displayName } from "@/lib/format/names";

/** The member's actions on visible messages. */
export interface MessageActs {
  /** Show the other actions. */
  onMenu: (message: ChatMessage) => void;
  onReact: (message: ChatMessage, key: ReactionKey | null) => void;
  /** Scroll to a quoted message. */
  onFind: (messageId: string) => void;
}

interface MessageRowProps extends MessageActs {
  row: MessageRow;
  /** The member, who may be mentioned. */
  memberId: string;
}

/** A stored message: one's own on the right, all others with their author. */
export const MessageRowView = memo(function MessageRowView(props: MessageRowProps) {
  return props.row.isMine ? <OwnMessage {...props} /> : <OthersMessage {...props} />;
});

function OwnMessage({ row: { message, startsGroup }, onMenu, onFind }: MessageRowProps) {
  const press = useLongPress(() => onMenu(message));
  return (
    <div className={classesOf(true, startsGroup)} data-message={message.id} tabIndex={-1}>
      <MenuButton label="Options for your message" onPress={() => onMenu(message)} />
      <div className="chat-bubble" {...press}>
        {message.replyTo ? <Quoted quote={message.replyTo} onFind={onFind} /> : null}
        <p className="chat-text">
          <span className="visually-hidden">You:</span>
          <Text text={message.text} />
          <span className="chat-meta">
            <Time timeMs={message.timeMs} />
            <Check aria-label="Sent" role="img" />
          </span>
        </p>
        <ReactionRow message={message} />
      </div>
    </div>
  );
}

function OthersMessage({ row, memberId, onMenu, onReact, onFind }: MessageRowProps) {
  const { message, startsGroup } = row;
  const press = useLongPress(() => onMenu(message));
  const namesMe = message.mentions.includes(memberId);
  const name = displayName(message.lastName, message.firstName);
  return (
    <div className={classesOf(false, startsGroup)} data-message={message.id} tabIndex={-1}>
      {startsGroup ? <Avatar lastName={message.lastName} src={message.avatar} /> : null}
      <div className={namesMe ? "chat-bubble names-me" : "chat-bubble"} {...press}>
        <p className={startsGroup ? "chat-name" : "visually-hidden"}>{name}</p>
        {namesMe ? <span className="visually-hidden">Mentions you:</span> : null}
        {message.replyTo ? <Quoted quote={message.replyTo} onFind={onFind} /> : null}
        <p className="chat-text">
          <Text text={message.text} />
          <span className="chat-meta">
            <Time timeMs={message.timeMs} />
          </span>
        </p>
        <ReactionRow message={message} onReact={(key) => onReact(message, key)} />
      </div>
      <MenuButton label={`Options for ${name}'s message`} onPress={() => onMenu(message)} />
    </div>
  );
}

function MenuButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <button
      type="button"
      className="icon-button chat-more"
      aria-label={label}
      aria-haspopup="dialog"
      onClick={onPress}
    >
      <Ellipsis aria-hidden="true" />
    </button>
  );
}

function Time({ timeMs }: { timeMs: number }) {
  return <time dateTime={new Date(timeMs).toISOString()}>{formatTime(timeMs)}</time>;
}

interface PendingRowProps {
  row: PendingRow;
  isOpen: boolean;
  onRetry: (clientId: string) => void;
  onUnquote: (clientId: string) => void;
  onDiscard: (clientId: string) => void;
  onFind: (messageId: string) => void;
}

/** An own message that is not stored yet, with its state. */
export function PendingRowView({ row, isOpen, ...acts }: PendingRowProps) {
  const { pending, startsGroup } = row;
  const { onRetry, onUnquote, onDiscard, onFind } = acts;
  const hasFailed = pending.status === "failed";
  return (
    <div className={`${classesOf(true, startsGroup)} ${hasFailed ? "is-failed" : ""}`}>
      <div className="chat-bubble">
        {pending.replyTo ? <Quoted quote={pending.replyTo} onFind={onFind} /> : null}
        <p className="chat-text">
          <span className="visually-hidden">You:</span>
          <Text text={pending.text} />
          <span className="chat-meta">
            {hasFailed ? <CircleAlert aria-hidden="true" /> : <Clock3 aria-hidden="true" />}
            {hasFailed ? "Not sent" : progressOf(pending, isOpen)}
          </span>
        </p>
        {hasFailed ? (
          <>
            <p className="field-error" role="alert">
              {pending.refusal}
            </p>
            {pending.hasLostQuote ? (
              <Button variant="quiet" onClick={() => onUnquote(pending.clientId)}>
                Send without the quote
              </Button>
            ) : (
              <Button variant="quiet" onClick={() => onRetry(pending.clientId)}>
                Retry
              </Button>
            )}
            <Button variant="danger" onClick={() => onDiscard(pending.clientId)}>
              Delete
            </Button>
          </>
        ) : null}
      </div>
    </div>
  );
}

function progressOf({ status }: Pending, isOpen: boolean): string {
  return isOpen || status === "sending" ? "Sending…" : "Waiting for the network";
}

function Text({ text }: { text: string }) {
  return linkify(text).map(({ text: piece, href }, index) =>
    href === null ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
      <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {piece}
      </a>
    ),
  );
}

function classesOf(isMine: boolean, startsGroup: boolean): string {
  return `chat-message${isMine ? " is-mine" : ""}${startsGroup ? " starts-group" : ""}`;
}
