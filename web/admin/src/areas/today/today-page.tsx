import "~/areas/today/today.css";
import { CircleCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { StatusBadge } from "@/components/status-badge";
import { counted, formatCount } from "@/lib/format/counts";
import { dayOf } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
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
  const today = useAnswer("GET /api/v1/admin/today");
  return (
    <Loaded query={today} pending={<ScreenSkeleton />}>
      {(today) => (
        <div className="office-columns today">
          <ToDo counts={countsOf(today)} />
          <div className="screen today-beside">
            {today.shop ? <ShopToday shop={today.shop} /> : null}
            <SystemState ledger={today.ledger} backup={today.backup} />
          </div>
          <Charts />
        </div>
      )}
    </Loaded>
  );
}

/** A kind of pending item, and the screen that handles it. */
interface Count {
  text: string;
  to: string;
  count: number;
  /** It waits for another operator. */
  isOwn?: boolean;
}

function countsOf({ waiting, proposed, bank }: Today): Count[] {
  const counts: Count[] = Object.entries(waiting).map(([name, count]) => ({
    text: labelOf(name),
    to: PLACES[name] ?? "/",
    count,
  }));
  if (bank) {
    counts.push(
      { text: "Bank lines without a transfer", to: "/money/bank?state=open", count: bank.lines },
      { text: "Transfers without a bank line", to: "/money/bank/missing", count: bank.transfers },
    );
  }
  if (proposed > 0) {
    const to = PLACES["approvals"] ?? "/";
    counts.push({
      text: "Your proposals awaiting approval",
      to,
      count: proposed,
      isOwn: true,
    });
  }
  return counts;
}

/** What is pending as large figures; below them, the lists with nothing in them. */
function ToDo({ counts }: { counts: Count[] }) {
  const pending = counts.filter(({ count }) => count > 0);
  const clear = counts.filter(({ count }) => count === 0);
  return (
    <Panel title="To do">
      {pending.length === 0 ? (
        <p className="all-clear">
          <CircleCheck aria-hidden="true" />
          All clear.
        </p>
      ) : null}
      {pending.length > 0 ? (
        <ul className="waiting">
          {pending.map(({ text, to, count, isOwn = false }) => (
            <li key={text}>
              <Link to={to}>
                <span className={isOwn ? "numeral is-nothing" : "numeral"}>
                  {formatCount(count)}
                </span>
                {text}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {clear.length > 0 ? (
        <details className="clear small">
          <summary>{counted(clear.length, "empty queue")}</summary>
          <ul aria-label="Empty queues">
            {clear.map(({ text, to }) => (
              <li key={text}>
                <Link to={to}>{text}</Link>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </Panel>
  );
}

/** Today's orders, and what has to be ordered in. */
function ShopToday({ shop }: { shop: NonNullable<Today["shop"]> }) {
  const { orders, total, paid, paidTotal, lowStock } = shop;
  const today = dayOf(Date.now());
  return (
    <Panel title="Shop today">
      <Facts
        facts={{
          Orders: (
            <Link to={`/orders?from=${today}&to=${today}`}>
              {`${formatCount(orders)}, ${formatNaira(total)}`}
            </Link>
          ),
          Paid: `${formatCount(paid)}, ${formatNaira(paidTotal)}`,
        }}
      />
      <h3>Low stock</h3>
      {lowStock.length === 0 ? (
        <p className="muted">Nothing is running low.</p>
      ) : (
        <ul className="low-stock">
          {lowStock.map(({ productId, name, size, available }) => (
            <li key={`${productId} ${size}`}>
              <Link to={`/products/${productId}`}>{[name, size].filter(Boolean).join(", ")}</Link>
              <span className={available === 0 ? "is-sold-out" : "muted"}>
                {available === 0 ? "Sold out" : `${available} left`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
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
    <Panel title="System">
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
    return "Not checked yet";
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
