import { choiceFrom } from "~/parts/choice";
import { Json } from "~/parts/json";
import { ResourceList } from "~/parts/resource-list";
import { TargetName, targetText } from "~/parts/subject";

const CHOOSE_OPERATOR = choiceFrom("GET /api/v1/admin/audit/operators", ({ id, name }) => ({
  value: id,
  text: name,
}));

/** The audit log: all of it for owners, their own entries for everyone else. */
export default function AuditPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/audit"
      noun={["entry", "entries"]}
      empty="Nothing was done"
      labels={{ target: "Target's id" }}
      controls={{ operator: CHOOSE_OPERATOR }}
      columns={[
        { title: "At", as: "moment", value: (entry) => entry.at },
        { title: "Who", value: (entry) => entry.operator?.name ?? "Command line" },
        { title: "Did", as: "word", value: (entry) => entry.action },
        {
          title: "To",
          value: (entry) => targetText(entry),
          show: (entry) => <TargetName target={entry} />,
        },
        { title: "By the right", value: (entry) => entry.right },
        { title: "Reason", value: (entry) => entry.reason },
        {
          title: "Before and after",
          value: (entry) => JSON.stringify({ before: entry.before, after: entry.after }),
          sortBy: null,
          show: ({ before, after, subjects }) =>
            before === null && after === null ? (
              "–"
            ) : (
              <details>
                <summary>Show</summary>
                <Json
                  value={{ ...(before ? { before } : {}), ...(after ? { after } : {}) }}
                  subjects={subjects}
                />
              </details>
            ),
        },
      ]}
    />
  );
}
