import { counted, formatCount } from "@/lib/format/counts";
import { ChatTabs } from "~/areas/chat/chat-tabs";
import { labelOf } from "~/lib/words";
import {
  authorOf,
  Dismiss,
  EvidenceButton,
  HideOrRestore,
  MODERATE,
  MuteAndBan,
} from "~/parts/chat-measures";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** Unresolved reports of messages, oldest first. */
export default function ReportsPage() {
  return (
    <div className="screen">
      <ChatTabs />
      <ResourceList
        call="GET /api/v1/admin/chat/reports"
        noun="reported message"
        empty="No reported messages"
        rowKey={({ message }) => message.id}
        bulk={[
          {
            call: MODERATE,
            text: (count) => `Hide ${counted(count, "message")}`,
            requestOf: ({ message, hidden }) =>
              hidden ? null : { inPath: { message_id: message.id, deed: "hide" } },
          },
          {
            call: MODERATE,
            text: (count) => `Dismiss the reports of ${formatCount(count)}`,
            requestOf: ({ message }) => ({ inPath: { message_id: message.id, deed: "dismiss" } }),
          },
        ]}
        columns={[
          { title: "Message", value: ({ message }) => message.chat_message },
          {
            title: "Written by",
            value: ({ message }) => memberName(authorOf(message)),
            show: ({ message }) => <MemberLink member={authorOf(message)} />,
          },
          { title: "In", value: ({ message }) => message.club },
          { title: "For", value: ({ reasons }) => reasons.map(labelOf).join(", ") },
          { title: "By", as: "number", value: ({ reports }) => reports, total: true },
          { title: "First reported", as: "moment", value: (found) => found.firstReportedAt },
        ]}
        actions={({ message, hidden }) => (
          <>
            <EvidenceButton message={message} />
            <HideOrRestore message={message} hidden={hidden} />
            <Dismiss message={message} />
            <MuteAndBan member={authorOf(message)} />
          </>
        )}
      />
    </div>
  );
}
