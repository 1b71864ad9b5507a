import "~/parts/chat-measures.css";
import { useState } from "react";
import type { components } from "@/api/schema.gen";
import { Button } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Modal } from "@/components/modal";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { formatShortMoment } from "@/lib/format/dates";
import { useMay } from "~/api/operator";
import { useAnswer } from "~/api/queries";
import { Action } from "~/parts/action";
import { memberName } from "~/parts/member-link";
import { StateBadge } from "~/parts/state-badge";

export type ChatMessage = components["schemas"]["ChatMessage"];

/** Hides a message, shows it again, or dismisses its reports. */
export const MODERATE = "POST /api/v1/admin/chat/messages/{message_id}/{deed}";
const EVIDENCE = "GET /api/v1/admin/chat/messages/{message_id}/evidence";

/** The author of a message, written as in lists of members. */
export function authorOf({ user_id: id, firstname, lastname }: ChatMessage) {
  return { id, firstName: firstname, lastName: lastname };
}

interface ModerateProps {
  message: ChatMessage;
  hidden: boolean;
}

/** Hide a message, or show it again. */
export function HideOrRestore({ message, hidden }: ModerateProps) {
  return hidden ? (
    <Action
      call={MODERATE}
      inPath={{ message_id: message.id, deed: "restore" }}
      text="Show again"
    />
  ) : (
    <Action call={MODERATE} inPath={{ message_id: message.id, deed: "hide" }} text="Hide" />
  );
}

/** Dismiss the reports of a message; the message stays. */
export function Dismiss({ message }: { message: ChatMessage }) {
  return (
    <Action call={MODERATE} inPath={{ message_id: message.id, deed: "dismiss" }} text="Dismiss" />
  );
}

interface MeasureProps {
  member: { id: string; firstName: string; lastName: string };
}

/** Mute a member, or ban them from the chat. */
export function MuteAndBan({ member }: MeasureProps) {
  const fixed = { userId: member.id };
  return (
    <>
      <Action
        call="POST /api/v1/admin/chat/mutes"
        fixed={fixed}
        text="Mute"
        header={`Mute ${memberName(member)}`}
        note="They can read but not write. The member sees until when."
        hints={{ minutes: "60 are an hour, 1440 a day, 10080 a week" }}
      />
      <Action
        call="POST /api/v1/admin/chat/bans"
        fixed={fixed}
        text="Ban"
        header={`Ban ${memberName(member)}`}
        variant="danger"
        note="They leave the chat within seconds and cannot enter it. The member sees until when."
        hints={{ until: "Lagos time; empty until it is lifted" }}
      />
    </>
  );
}

/** A button that shows a message in context; each view is audited. */
export function EvidenceButton({ message }: { message: ChatMessage }) {
  const [isOpen, setIsOpen] = useState(false);
  const may = useMay(EVIDENCE);
  if (!may) {
    return null;
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        Evidence
      </Button>
      {isOpen ? (
        <Modal
          header={`Evidence, ${message.club}`}
          onClose={() => setIsOpen(false)}
          content={<Evidence messageId={message.id} />}
        />
      ) : null}
    </>
  );
}

function Evidence({ messageId }: { messageId: string }) {
  const asked = useAnswer(EVIDENCE, { inPath: { message_id: messageId } });
  return (
    <Loaded query={asked} pending={<ScreenSkeleton />}>
      {({ messages }) => (
        <ol className="evidence">
          {messages.map((each) => (
            <EvidenceRow key={each.message.id} {...each} isMeant={each.message.id === messageId} />
          ))}
        </ol>
      )}
    </Loaded>
  );
}

/** A message in full; the reported one is highlighted and has actions. */
function EvidenceRow({ message, hidden, isMeant }: ModerateProps & { isMeant: boolean }) {
  return (
    <li ref={isMeant ? bringIntoView : null} aria-current={isMeant}>
      <p className="small muted">
        {memberName(authorOf(message))},{" "}
        <time dateTime={new Date(message.time).toISOString()}>{sentAt(message)}</time>
      </p>
      <p>{message.chat_message}</p>
      {hidden ? <StateBadge state="hidden" /> : null}
      {isMeant ? <HideOrRestore message={message} hidden={hidden} /> : null}
    </li>
  );
}

function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "center" });
}

function sentAt({ time }: ChatMessage): string {
  return formatShortMoment(new Date(time).toISOString());
}
