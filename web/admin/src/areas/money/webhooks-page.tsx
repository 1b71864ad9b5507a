import { formatCount } from "@/lib/format/counts";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

/** Provider webhooks and their outcome. */
export default function WebhooksPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <ResourceList
        call="GET /api/v1/admin/webhooks"
        noun="webhook"
        empty="No webhooks"
        nameOf={({ type, reference }) => `${type}, ${reference}`}
        bulk={[
          {
            call: "POST /api/v1/admin/webhooks/{webhook_id}/replay",
            text: (count) => `Replay ${formatCount(count)}`,
            requestOf: ({ id, state }) => (isUndone(state) ? { inPath: { webhook_id: id } } : null),
          },
        ]}
        columns={[
          { title: "Received", as: "moment", value: (report) => report.receivedAt },
          { title: "Provider", as: "word", value: (report) => report.gateway },
          { title: "Type", value: (report) => report.type },
          { title: "Reference", value: (report) => report.reference },
          { title: "State", as: "state", value: (report) => report.state },
          { title: "Funding", as: "word", value: (report) => report.fundingState },
          { title: "Reason", value: (report) => report.reason },
        ]}
        actions={({ id, state }) =>
          isUndone(state) ? (
            <>
              <Action
                call="POST /api/v1/admin/webhooks/{webhook_id}/replay"
                inPath={{ webhook_id: id }}
                text="Replay"
              />
              <Action
                call="POST /api/v1/admin/webhooks/{webhook_id}/ignore"
                inPath={{ webhook_id: id }}
                text="Ignore"
              />
            </>
          ) : null
        }
      />
    </div>
  );
}

/** Whether a webhook had no effect, so that it can be replayed or ignored. */
function isUndone(state: string): boolean {
  return state === "unmatched" || state === "failed";
}
