import type { RowOf } from "~/api/calls";
import { actionName } from "~/lib/action-names";
import { choiceFrom } from "~/parts/choice";
import { Json } from "~/parts/json";
import { ResourceList } from "~/parts/resource-list";
import { TargetName, targetText } from "~/parts/subject";

const CHOOSE_OPERATOR = choiceFrom("GET /api/v1/admin/audit/operators", ({ id, name }) => ({
  value: id,
  text: name,
}));

type Entry = RowOf<"GET /api/v1/admin/audit">;

/** The audit log: all of it for owners, their own entries for everyone else. */
export default function AuditPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/audit"
      noun={["entry", "entries"]}
      empty="No entries"
      labels={{ target: "Target ID", right: "Permission" }}
      controls={{ operator: CHOOSE_OPERATOR }}
      columns={[
        { title: "At", as: "moment", value: (entry) => entry.at },
        {
          title: "Who",
          value: whoOf,
          show: (entry) => <span className="is-line">{whoOf(entry)}</span>,
        },
        {
          title: "Action",
          value: (entry) => actionName(entry.action),
          show: ({ action }) => <span className="is-line">{actionName(action)}</span>,
        },
        {
          title: "Target",
          value: (entry) => targetText(entry),
          show: (entry) => <TargetName target={entry} />,
        },
        { title: "Permission", minor: true, value: (entry) => entry.right },
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

function whoOf({ operator }: Entry): string {
  return operator?.name ?? "Command line";
}
