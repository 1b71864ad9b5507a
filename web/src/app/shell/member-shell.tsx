import { MemberScope } from "@/app/member-scope";
import { Shell } from "@/app/shell/shell";
import { useMember } from "@/lib/session/session";

/** The shell of one member: another member who signs in gets a new one. */
export default function MemberShell() {
  const { id } = useMember();
  return (
    <MemberScope key={id} userId={id}>
      <Shell />
    </MemberScope>
  );
}
