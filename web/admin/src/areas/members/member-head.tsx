import { Panel } from "@/components/panel";
import { formatDate, formatShortMoment } from "@/lib/format/dates";
import type { Member } from "~/areas/members/member";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { choiceFrom } from "~/parts/choice";
import { Facts } from "~/parts/facts";
import { memberName } from "~/parts/member-link";
import { StateBadge } from "~/parts/state-badge";

/** The member's identity and status, with the account actions. */
export function MemberHead({ member }: { member: Member }) {
  const { bank } = member;
  return (
    <Panel title={memberName(member)} action={<StateBadge state={stateOf(member)} />}>
      <Facts
        facts={{
          Email: member.email,
          Phone: member.phone,
          "Date of birth": member.dateOfBirth === null ? null : formatDate(member.dateOfBirth),
          Gender: member.gender === null ? null : labelOf(member.gender),
          Joined: formatShortMoment(member.activatedAt),
          Left: member.erasedAt === null ? null : formatShortMoment(member.erasedAt),
          "Suspended since":
            member.suspendedAt === null ? null : formatShortMoment(member.suspendedAt),
          "Suspended until": suspendedUntil(member),
          Bank:
            bank === null ? null : `${bank.bankName} ${bank.accountNumber}, ${bank.accountName}`,
          "Back office": member.isOperator ? "Operator" : null,
        }}
      />
      {member.erasedAt === null ? <AccountActions member={member} /> : null}
    </Panel>
  );
}

function stateOf({ erasedAt, suspendedAt }: Member): string {
  if (erasedAt !== null) {
    return "left";
  }
  return suspendedAt === null ? "active" : "suspended";
}

function suspendedUntil({ suspendedAt, suspendedUntil: until }: Member): string | null {
  if (suspendedAt === null) {
    return null;
  }
  return until === null ? "they are restored" : formatShortMoment(until);
}

function AccountActions({ member }: { member: Member }) {
  const inPath = { user_id: member.id };
  return (
    <div className="buttons">
      {member.suspendedAt !== null ? (
        <Action
          call="POST /api/v1/admin/members/{user_id}/restore"
          inPath={inPath}
          text="Restore"
          variant="primary"
        />
      ) : null}
      {member.suspendedAt === null && !member.isOperator ? (
        <Action
          call="POST /api/v1/admin/members/{user_id}/suspend"
          inPath={inPath}
          text="Suspend"
          header={`Suspend ${memberName(member)}`}
          variant="danger"
          note="They are signed out everywhere within seconds and cannot sign in. They keep everything they own."
          hints={{ until: "Lagos time; empty until they are restored" }}
        />
      ) : null}
      <Action
        call="POST /api/v1/admin/members/{user_id}/revoke-sessions"
        inPath={inPath}
        text="Sign out everywhere"
      />
      <Action
        call="POST /api/v1/admin/members/{user_id}/club"
        inPath={inPath}
        text="Change club"
        note="They keep their points, and see the new club's chat and games immediately."
        labels={{ clubId: "Club" }}
        controls={{ clubId: chooseClub(member.clubId) }}
      />
    </div>
  );
}

/** Any visible club except the member's own. */
function chooseClub(own: string) {
  return choiceFrom("GET /api/v1/admin/clubs", ({ id, name, hidden }) =>
    id === own || hidden ? null : { value: id, text: name },
  );
}
