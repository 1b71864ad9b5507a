import { Link } from "react-router-dom";
import { useOperator } from "~/api/operator";

export interface NamedMember {
  id: string;
  firstName: string;
  lastName: string;
}

/** A member's name, written as in the back office. */
export function memberName({ firstName, lastName }: Omit<NamedMember, "id">): string {
  return `${firstName} ${lastName}`.trim();
}

/** A member's name; a link for operators who may read the member. */
export function MemberLink({ member }: { member: NamedMember }) {
  const may = useOperator().rights.includes("members:read");
  return may ? <Link to={`/members/${member.id}`}>{memberName(member)}</Link> : memberName(member);
}
