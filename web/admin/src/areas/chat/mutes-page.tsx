import { ChatTabs } from "~/areas/chat/chat-tabs";
import { Action } from "~/parts/action";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** Muted members, who may read the chat but not write, and until when. */
export default function MutesPage() {
  return (
    <div className="screen">
      <ChatTabs />
      <ResourceList
        call="GET /api/v1/admin/chat/mutes"
        noun="mute"
        empty="Nobody is muted"
        columns={[
          {
            title: "Member",
            value: ({ member }) => memberName(member),
            show: ({ member }) => <MemberLink member={member} />,
          },
          { title: "Until", as: "moment", value: ({ until }) => until },
          { title: "Reason", value: ({ reason }) => reason },
        ]}
        actions={({ member }) => (
          <Action
            call="DELETE /api/v1/admin/chat/mutes/{user_id}"
            inPath={{ user_id: member.id }}
            text="Lift mute"
          />
        )}
      />
    </div>
  );
}
