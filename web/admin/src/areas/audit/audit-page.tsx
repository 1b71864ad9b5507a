import type { RowOf } from "~/api/calls";
import { toldOf } from "~/lib/told";
import { labelOf } from "~/lib/words";
import { Json } from "~/parts/json";
import { ResourceList } from "~/parts/resource-list";

/** What operators have done: all of it for owners, their own for everybody. */
export default function AuditPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/audit"
      empty="Nothing was done"
      labels={{ operator: "Operator's id", target: "What it was done to" }}
      columns={[
        { title: "At", as: "moment", value: (entry) => entry.at },
        { title: "Who", value: (entry) => entry.operator?.name ?? "Command line" },
        { title: "Did", as: "word", value: (entry) => entry.action },
        { title: "To", value: (entry) => targetOf(entry) },
        { title: "By the right", value: (entry) => entry.right },
        { title: "Reason", value: (entry) => entry.reason },
        {
          title: "Before and after",
          value: (entry) => JSON.stringify({ before: entry.before, after: entry.after }),
          show: ({ before, after }) =>
            before === null && after === null ? (
              "–"
            ) : (
              <details>
                <summary>Show</summary>
                <Json value={{ ...(before ? { before } : {}), ...(after ? { after } : {}) }} />
              </details>
            ),
        },
      ]}
    />
  );
}

function targetOf({ targetType, targetId }: RowOf<"GET /api/v1/admin/audit">): string {
  const type = labelOf(targetType);
  return targetId === targetType ? type : `${type} ${toldOf("id", targetId)}`;
}
