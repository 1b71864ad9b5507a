import { MomentPreview } from "~/areas/moments/moment-preview";
import { Action } from "~/parts/action";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** Moments posted by members, hidden or not. */
export default function MomentsPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/moments"
      noun="moment"
      empty="No moments"
      labels={{ q: "Title", member: "Member ID" }}
      columns={[
        { title: "Title", value: ({ title }) => title },
        {
          title: "Member",
          value: ({ member }) => memberName(member),
          show: ({ member }) => <MemberLink member={member} />,
        },
        { title: "Posted", as: "moment", value: ({ createdAt }) => createdAt },
        { title: "State", as: "state", value: ({ state }) => state },
        { title: "Reports", as: "number", value: ({ reports }) => reports },
        { title: "Hidden", minor: true, as: "moment", value: ({ hiddenAt }) => hiddenAt },
      ]}
      actions={(moment) => (
        <>
          <MomentPreview moment={moment} />
          {moment.state === "hidden" ? (
            <Action
              call="POST /api/v1/admin/moments/{moment_id}/restore"
              inPath={{ moment_id: moment.id }}
              text="Restore"
            />
          ) : null}
          {moment.state === "hidden" && moment.reports === 0 ? null : (
            <Action
              call="POST /api/v1/admin/moments/{moment_id}/hide"
              inPath={{ moment_id: moment.id }}
              text="Hide"
              variant="danger"
              note="It disappears from the member's list, and its picture and video can no longer be opened. The member is notified."
            />
          )}
        </>
      )}
    />
  );
}
