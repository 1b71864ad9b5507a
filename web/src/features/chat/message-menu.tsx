import type { ReactionKey } from "@/api/wire";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import type { ChatMessage } from "@/features/chat/events";
import { REACTIONS } from "@/features/chat/reactions";
import { displayName } from "@/lib/format/names";
import { serverNowMs } from "@/lib/live/server-clock";
import { showToast } from "@/lib/ui/toasts";

/** How long a message can be deleted (contract G). */
const DELETE_WINDOW_MS = 600_000;

interface MessageMenuProps {
  message: ChatMessage;
  isMine: boolean;
  onReply: () => void;
  onReact: (key: ReactionKey | null) => void;
  onRemove: () => void;
  onReport: () => void;
  onClose: () => void;
}

/** The actions on a message: one's own, or another member's, which begin with the reactions. */
export function MessageMenu({ message, isMine, onClose, ...acts }: MessageMenuProps) {
  const closing = (act: () => void) => () => {
    onClose();
    act();
  };
  const name = displayName(message.lastName, message.firstName);
  const canRemove = isMine && serverNowMs() - message.timeMs < DELETE_WINDOW_MS;
  const content = (
    <div className="message-menu">
      {isMine ? null : (
        <Feelings message={message} onReact={(key) => closing(() => acts.onReact(key))()} />
      )}
      <blockquote className="report-quote muted">{message.text}</blockquote>
      <Button variant="secondary" onClick={closing(acts.onReply)}>
        Reply
      </Button>
      <Button variant="secondary" onClick={closing(() => copy(message.text))}>
        Copy
      </Button>
      {isMine ? null : (
        <Button variant="secondary" onClick={closing(acts.onReport)}>
          Report
        </Button>
      )}
      {canRemove ? (
        <Button variant="danger" onClick={closing(acts.onRemove)}>
          Delete for all
        </Button>
      ) : null}
    </div>
  );
  return (
    <Modal
      header={isMine ? "Your message" : `${name}'s message`}
      content={content}
      footer={false}
      onClose={onClose}
    />
  );
}

interface FeelingsProps {
  message: ChatMessage;
  onReact: (key: ReactionKey | null) => void;
}

function Feelings({ message, onReact }: FeelingsProps) {
  return (
    <fieldset className="message-feelings">
      <legend className="visually-hidden">React</legend>
      {REACTIONS.map(({ key, emoji, name }) => (
        <button
          key={key}
          type="button"
          aria-pressed={message.mine === key}
          aria-label={name}
          onClick={() => onReact(message.mine === key ? null : key)}
        >
          <span aria-hidden="true">{emoji}</span>
        </button>
      ))}
    </fieldset>
  );
}

function copy(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => showToast("success", "Copied."),
    () => showToast("error", "The message could not be copied."),
  );
}
