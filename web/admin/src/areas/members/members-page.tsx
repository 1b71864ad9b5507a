import { memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** Member search; searches are audited with their reason. */
export default function MembersPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/members"
      noun="member"
      empty="No members begin like that"
      labels={{ q: "Name, e-mail, phone or order" }}
      needs={{
        filter: "q",
        minLength: 3,
        sentence:
          "Type how a name, an e-mail address or a phone begins, or the number of an order: " +
          "three characters or more.",
      }}
      to={({ id }) => `/members/${id}`}
      columns={[
        { title: "Member", value: (member) => memberName(member) },
        { title: "E-mail", value: ({ email }) => email },
        { title: "Phone", value: ({ phone }) => phone },
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
