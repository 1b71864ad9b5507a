import "~/areas/settings/settings.css";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { isRecord } from "@/lib/device/storage";
import type { FieldOf, RowOf } from "~/api/calls";
import { ask } from "~/api/client";
import { useAnswer } from "~/api/queries";
import { formatValue } from "~/lib/format-value";
import { ResourceForm } from "~/parts/resource-form";

const CALL = "GET /api/v1/admin/settings";
const WRITE = "PUT /api/v1/admin/settings";

const LABELS = {
  transferAccount: "Account for bank transfers",
  stateRequired: "Orders must include a state",
  quietFrom: "No emails at night, from",
  quietTo: "Until",
  adjustmentLimit: "Max credit per operator (₦)",
  adjustmentDayLimit: "Max credits per operator per day (₦)",
  refundLimit: "Max refund per operator (₦)",
  refundDayLimit: "Max refunds per operator per day (₦)",
  confirmDayLimit: "Max confirmed transfers per operator per day (₦)",
  giftLimit: "Max plans gifted at once per operator",
  transferUnitsLimit: "Max items in a member's unpaid orders",
  transferValueLimit: "Max value of a member's unpaid orders (₦)",
  legal: "Publisher named on the legal pages",
  effective: "In effect since",
  newTerms: "New terms",
};

const HINTS: Record<string, string> = {
  reason: "Shown to the operator who approves",
  quietFrom: "Lagos time, such as 22:00",
  quietTo: "Lagos time, such as 07:00",
  adjustmentLimit: "A higher limit needs a second operator's approval",
  legal:
    "Shown on the Privacy, Refund and Terms and Conditions pages; does not create a new version",
  newTerms: "Ask: members must accept them to continue. Inform: members see a notice.",
};

type Approval = RowOf<"GET /api/v1/admin/approvals">;

const REASON: FieldOf<typeof WRITE> = "reason";

/** Settings that belong together; each section is saved separately. */
const SECTIONS: readonly { title: string; fields: readonly FieldOf<typeof WRITE>[] }[] = [
  { title: "Bank transfers", fields: ["transferAccount", REASON] },
  { title: "Orders", fields: ["stateRequired", "transferUnitsLimit", "transferValueLimit"] },
  {
    title: "Limits without a second operator",
    fields: [
      "adjustmentLimit",
      "adjustmentDayLimit",
      "refundLimit",
      "refundDayLimit",
      "confirmDayLimit",
      "giftLimit",
      REASON,
    ],
  },
  { title: "Emails at night", fields: ["quietFrom", "quietTo"] },
  { title: "Legal pages", fields: ["legal", "newTerms"] },
];

/** Settings that can be changed at run time. */
export default function SettingsPage() {
  const settings = useAnswer(CALL);
  const open = useAnswer("GET /api/v1/admin/approvals", { inQuery: { state: "open", limit: 100 } });
  return (
    <Loaded query={settings} pending={<ScreenSkeleton />}>
      {(current) => (
        <div className="screen">
          {SECTIONS.map(({ title, fields }) => (
            <Panel key={title} title={title} className="settings-section">
              <ResourceForm
                call={WRITE}
                fields={fields}
                current={{ ...current }}
                reread={async () => ({ ...(await ask(CALL)) })}
                labels={LABELS}
                hints={{ ...HINTS, ...hintsOf(open.data?.rows ?? []) }}
              />
            </Panel>
          ))}
        </div>
      )}
    </Loaded>
  );
}

/** What is proposed for each setting and is waiting for approval, the newest proposal first. */
function hintsOf(approvals: readonly Approval[]): Record<string, ReactNode> {
  const hints: Record<string, ReactNode[]> = {};
  for (const { id, kind, content } of approvals) {
    const isOfSettings = kind === "raise-limits" || kind === "transfer-account";
    const proposed = isOfSettings ? Object.entries(content) : [];
    for (const [name, value] of proposed.filter(([, each]) => each !== null)) {
      hints[name] ??= [];
      hints[name].push(<WaitingValue key={id} id={id} text={valueText(name, value)} />);
    }
  }
  return hints;
}

function WaitingValue({ id, text }: { id: string; text: string }) {
  return <Link to={`/approvals?state=open#${id}`}>Waiting for approval: {text}</Link>;
}

/** An account is its parts. */
function valueText(name: string, value: unknown): string {
  return isRecord(value) ? Object.values(value).join(", ") : formatValue(name, value);
}
