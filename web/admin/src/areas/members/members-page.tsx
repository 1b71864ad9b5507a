import { memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** The members, the newest first, and their search; both are audited. */
export default function MembersPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/members"
      noun="member"
      empty="No members found"
      labels={{ q: "Name, email, phone or order" }}
      atLeast={{
        filter: "q",
        length: 3,
        sentence: "Type at least three characters of a name, an email address or a phone number.",
      }}
      to={({ id }) => `/members/${id}`}
      columns={[
        { title: "Member", value: (member) => memberName(member) },
        { title: "Email", value: ({ email }) => email },
        { title: "Phone", minor: true, value: ({ phone }) => phone },
        { title: "Club", value: ({ clubName }) => clubName },
        {
          title: "State",
          as: "state",
          value: ({ suspendedAt }) => (suspendedAt === null ? "active" : "suspended"),
        },
      ]}
    />
  );
}
