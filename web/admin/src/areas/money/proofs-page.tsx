import { StatusBadge } from "@/components/status-badge";
import { formatCount } from "@/lib/format/counts";
import type { RowOf } from "~/api/calls";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

type Proof = RowOf<"GET /api/v1/admin/proofs">;

/** Who asked for a check. */
const SOURCES: Record<string, string> = { clock: "Scheduler" };

/** Ledger checks and their findings. */
export default function ProofsPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <ResourceList
        call="GET /api/v1/admin/proofs"
        noun="check"
        empty="No ledger checks yet"
        beside={<Action call="POST /api/v1/admin/proofs" text="Check ledger" />}
        columns={[
          { title: "At", as: "moment", value: (proof) => proof.at },
          {
            title: "Requested by",
            as: "word",
            value: (proof) => SOURCES[proof.source] ?? proof.source,
          },
          {
            title: "Outcome",
            value: (proof) => (proof.ok ? "balanced" : "not balanced"),
            show: (proof) => <Outcome proof={proof} />,
          },
          { title: "Read", value: (proof) => (proof.isWhole ? "Everything" : "What is new") },
          { title: "Transfers", as: "number", value: (proof) => proof.transfers },
          { title: "Difference", as: "naira", value: (proof) => proof.difference },
          { title: "Duration (ms)", as: "number", value: (proof) => proof.tookMs },
        ]}
      />
    </div>
  );
}

function Outcome({ proof }: { proof: Proof }) {
  const broken = proof.checks.filter((check) => !check.ok);
  return (
    <>
      <StatusBadge
        tone={proof.ok ? "success" : "error"}
        text={proof.ok ? "Ledger balanced" : "Ledger does not balance"}
      />
      {broken.map(({ name, count, examples }) => (
        <p key={name} className="small">
          {labelOf(name)}: {formatCount(count)}, such as {examples.join(", ")}
        </p>
      ))}
    </>
  );
}
