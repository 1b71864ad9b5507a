import { formatMoment } from "@/lib/format/dates";
import { ChatTabs } from "~/areas/chat/chat-tabs";
import { Action } from "~/parts/action";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** Banned members, and until when. */
export default function BansPage() {
  return (
    <div className="screen">
      <ChatTabs />
      <ResourceList
        call="GET /api/v1/admin/chat/bans"
        noun="ban"
        empty="Nobody is banned"
        columns={[
          {
            title: "Member",
            value: ({ member }) => memberName(member),
            show: ({ member }) => <MemberLink member={member} />,
          },
          { title: "Since", as: "moment", value: ({ bannedAt }) => bannedAt },
          {
            title: "Until",
            value: ({ until }) => (until === null ? "it is lifted" : formatMoment(until)),
            sortBy: ({ until }) => until,
          },
          { title: "Reason", value: ({ reason }) => reason },
        ]}
        actions={({ member }) => (
          <Action
            call="DELETE /api/v1/admin/chat/bans/{user_id}"
            inPath={{ user_id: member.id }}
            text="Lift ban"
          />
        )}
      />
    </div>
  );
}
