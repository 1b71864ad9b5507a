import { Check, CircleAlert, Clock3, Ellipsis } from "lucide-react";
import { memo } from "react";
import { Avatar } from "@/components/avatar";
import { Button } from "@/components/button";
import type { ChatMessage } from "@/features/chat/events";
import { linkify } from "@/features/chat/linkify";
import type { Pending } from "@/features/chat/room";
import type { MessageRow, PendingRow } from "@/features/chat/rows";
import { formatTime } from "@/lib/dates";
import { displayName } from "@/lib/names";

interface MessageRowProps {
  row: MessageRow;
  onReport: (message: ChatMessage) => void;
}

/** A message that is stored: one's own on the right, others with who they are of. */
export const MessageRowView = memo(function MessageRowView(props: MessageRowProps) {
  return props.row.isMine ? <OwnMessage {...props} /> : <OthersMessage {...props} />;
});

function OwnMessage({ row: { message, startsGroup } }: MessageRowProps) {
  return (
    <div className={classesOf(true, startsGroup)}>
      <div className="chat-bubble">
        <p className="chat-text">
          <span className="visually-hidden">You:</span>
          <Text text={message.text} />
          <span className="chat-meta">
            <Time timeMs={message.timeMs} />
            <Check aria-label="Sent" role="img" />
          </span>
        </p>
      </div>
    </div>
  );
}

function OthersMessage({ row, onReport }: MessageRowProps) {
  const { message, startsGroup } = row;
  const name = displayName(message.lastName, message.firstName);
  return (
    <div className={classesOf(false, startsGroup)}>
      {startsGroup ? <Avatar lastName={message.lastName} src={message.avatar} /> : null}
      <div className="chat-bubble">
        <p className={startsGroup ? "chat-name" : "visually-hidden"}>{name}</p>
        <p className="chat-text">
          <Text text={message.text} />
          <span className="chat-meta">
            <Time timeMs={message.timeMs} />
          </span>
        </p>
      </div>
      <button
        type="button"
        className="icon-button chat-more"
        aria-label={`Report the message of ${name}`}
        aria-haspopup="dialog"
        onClick={() => onReport(message)}
      >
        <Ellipsis aria-hidden="true" />
      </button>
    </div>
  );
}

function Time({ timeMs }: { timeMs: number }) {
  return <time dateTime={new Date(timeMs).toISOString()}>{formatTime(timeMs)}</time>;
}

interface PendingRowProps {
  row: PendingRow;
  isOpen: boolean;
  onRetry: (clientId: string) => void;
  onDiscard: (clientId: string) => void;
}

/** A message of one's own that is not stored yet, with what becomes of it. */
export function PendingRowView({ row, isOpen, onRetry, onDiscard }: PendingRowProps) {
  const { pending, startsGroup } = row;
  const hasFailed = pending.status === "failed";
  return (
    <div className={`${classesOf(true, startsGroup)} ${hasFailed ? "is-failed" : ""}`}>
      <div className="chat-bubble">
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
            <Button look="quiet" onClick={() => onRetry(pending.clientId)}>
              Retry
            </Button>
            <Button look="danger" onClick={() => onDiscard(pending.clientId)}>
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
