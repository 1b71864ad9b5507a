import { Link } from "react-router-dom";
import { useOperator } from "~/api/operator";

export interface NamedMember {
  id: string;
  firstName: string;
  lastName: string;
}

/** Who somebody is, as the back office writes it. */
export function memberName({ firstName, lastName }: Omit<NamedMember, "id">): string {
  return `${firstName} ${lastName}`.trim();
}

/** A member's name, which leads to their page for whoever may read it. */
export function MemberLink({ member }: { member: NamedMember }) {
  const may = useOperator().rights.includes("members:read");
  return may ? <Link to={`/members/${member.id}`}>{memberName(member)}</Link> : memberName(member);
}
