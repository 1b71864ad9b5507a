import { TriangleAlert } from "lucide-react";
import type { Answered } from "~/api/calls";

type Today = Answered<"GET /api/v1/admin/today">;

/** Says on every screen, in red, that money is not where it should be. */
export function LedgerBar({ ledger }: { ledger: Today["ledger"] }) {
  return (
    <div role="alert">
      {ledger?.["ok"] === false ? (
        <p className="ledger-bar">
          <TriangleAlert aria-hidden="true" />
          Ledger does not balance
        </p>
      ) : null}
    </div>
  );
}
