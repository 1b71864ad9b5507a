import { TriangleAlert } from "lucide-react";
import type { ResponseOf } from "~/api/calls";

type Today = ResponseOf<"GET /api/v1/admin/today">;

/** A red banner on every screen while the ledger does not balance. */
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
