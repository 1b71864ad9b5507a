import "~/areas/today/today.css";
import { Link } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { StatusBadge } from "@/components/status-badge";
import { formatCount } from "@/lib/format/counts";
import type { ResponseOf } from "~/api/calls";
import { useAnswer } from "~/api/queries";
import { Charts } from "~/areas/today/charts";
import { labelOf } from "~/lib/words";
import { Facts } from "~/parts/facts";
import { LastBackup } from "~/parts/last-backup";

type Today = ResponseOf<"GET /api/v1/admin/today">;

/** The screen that handles each kind of pending item. */
const PLACES: Record<string, string> = {
  approvals: "/approvals?state=open",
  transferProofs: "/orders?proof=waiting",
  proofsOlderThanTwoDays: "/orders?proof=waiting",
  proofsOlderThanFiveDays: "/orders?proof=waiting",
  refunds: "/refunds?state=asked",
  reviewCases: "/money/review-cases",
  webhooks: "/money/webhooks?state=unmatched",
  disputes: "/money/disputes",
  debts: "/money/debts",
  chatReports: "/chat",
  momentReports: "/moments?reported=true",
  deadMails: "/mails?state=dead",
  articlesToday: "/news?state=scheduled",
  flaggedQuestions: "/questions?flag=any",
};

/** Pending items, the state of ledger and backups, and charts of the last days. */
export default function TodayPage() {
  return (
    <div className="screen">
      <Waiting />
      <Charts />
    </div>
  );
}

function Waiting() {
  const today = useAnswer("GET /api/v1/admin/today");
  return (
    <Loaded query={today} pending={<ScreenSkeleton />}>
      {({ waiting, proposed, ledger, backup, bank }) => (
        <div className="office-columns">
          <Panel title="What waits">
            <ul className="waiting">
              {Object.entries(waiting).map(([name, count]) => (
                <Count key={name} to={PLACES[name] ?? "/"} count={count} text={labelOf(name)} />
              ))}
              {bank === undefined || bank === null ? null : (
                <>
                  <Count
                    to="/money/bank?state=open"
                    count={bank.lines}
                    text="Bank lines without a transfer"
                  />
                  <Count
                    to="/money/bank/missing"
                    count={bank.transfers}
                    text="Transfers without a bank line"
                  />
                </>
              )}
              {proposed > 0 ? (
                <li>
                  <Link to={PLACES["approvals"] ?? "/"}>
                    <span className="numeral is-nothing">{formatCount(proposed)}</span>
                    Your own, waiting for somebody else
                  </Link>
                </li>
              ) : null}
            </ul>
          </Panel>
          <SystemState ledger={ledger} backup={backup} />
        </div>
      )}
    </Loaded>
  );
}

/** One count of pending items, linked to the screen that handles them. */
function Count({ to, count, text }: { to: string; count: number; text: string }) {
  return (
    <li>
      <Link to={to}>
        <span className={count === 0 ? "numeral is-nothing" : "numeral"}>{formatCount(count)}</span>
        {text}
      </Link>
    </li>
  );
}

/** The state of ledger and backups, as far as the operator may read it. */
function SystemState({
  ledger,
  backup,
}: { [name in "ledger" | "backup"]: Today[name] | undefined }) {
  if (ledger === undefined && backup === undefined) {
    return null;
  }
  return (
    <Panel title="How it stands">
      <Facts
        facts={{
          Ledger: ledger === undefined ? null : <LedgerState ledger={ledger} />,
          "Last backup":
            backup === undefined ? null : <LastBackup at={momentOf(backup?.["lastSuccessAt"])} />,
        }}
      />
    </Panel>
  );
}

function LedgerState({ ledger }: { ledger: Record<string, unknown> | null }) {
  if (ledger === null) {
    return "Not looked at yet";
  }
  const isBalanced = ledger["ok"] === true;
  return (
    <StatusBadge
      tone={isBalanced ? "success" : "error"}
      text={isBalanced ? "Ledger balanced" : "Ledger does not balance"}
    />
  );
}

function momentOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
