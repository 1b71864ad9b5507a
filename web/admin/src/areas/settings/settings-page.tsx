import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { isRecord } from "@/lib/device/storage";
import type { RowOf } from "~/api/calls";
import { ask } from "~/api/client";
import { useAnswer } from "~/api/queries";
import { formatValue } from "~/lib/format-value";
import { ResourceForm } from "~/parts/resource-form";

const CALL = "GET /api/v1/admin/settings";

const LABELS = {
  transferAccount: "Account for bank transfers",
  stateRequired: "An order must name its state",
  quietFrom: "No mail at night, from",
  quietTo: "until",
  adjustmentLimit: "Max credit per operator, in naira",
  adjustmentDayLimit: "Max credits per operator and day, in naira",
  refundLimit: "Max refund per operator, in naira",
  refundDayLimit: "Max refunds per operator and day, in naira",
  confirmDayLimit: "Max bank transfers confirmed per operator and day, in naira",
  giftLimit: "Max plans gifted at once per operator",
  transferUnitsLimit: "Max items in a member's unpaid orders",
  transferValueLimit: "Max value of a member's unpaid orders, in naira",
  legal: "Who runs the app, as the legal pages name them",
  effective: "In effect since",
  newTerms: "New terms",
};

const HINTS: Record<string, string> = {
  quietFrom: "Lagos time, such as 22:00",
  quietTo: "Lagos time, such as 07:00",
  adjustmentLimit: "A higher limit needs a second person",
  legal: "Shown on the pages Privacy, Refund and Terms and Conditions; makes no new version",
  newTerms: "Ask: members accept them before they go on. Inform: they see a notice.",
};

type Approval = RowOf<"GET /api/v1/admin/approvals">;

/** Settings that can be changed at run time. */
export default function SettingsPage() {
  const settings = useAnswer(CALL);
  const open = useAnswer("GET /api/v1/admin/approvals", { inQuery: { state: "open", limit: 100 } });
  return (
    <Loaded query={settings} pending={<ScreenSkeleton />}>
      {(current) => (
        <Panel title="Settings">
          <ResourceForm
            call="PUT /api/v1/admin/settings"
            current={{ ...current }}
            reread={async () => ({ ...(await ask(CALL)) })}
            labels={LABELS}
            hints={{ ...HINTS, ...hintsOf(open.data?.rows ?? []) }}
          />
        </Panel>
      )}
    </Loaded>
  );
}

/** What is proposed for each setting and waits for a second person, the newest proposal first. */
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
  return <Link to={`/approvals?state=open#${id}`}>Waits for a second person: {text}</Link>;
}

/** An account is its parts. */
function valueText(name: string, value: unknown): string {
  return isRecord(value) ? Object.values(value).join(", ") : formatValue(name, value);
}
