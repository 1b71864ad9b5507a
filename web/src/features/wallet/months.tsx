import "@/styles/statement.css";
import { useQuery } from "@tanstack/react-query";
import { CalendarDays } from "lucide-react";
import type { MonthOfWallet } from "@/api/wire";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { monthsQuery } from "@/features/wallet/api";
import { counted } from "@/lib/format/counts";
import { monthName } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import { useMember } from "@/lib/session/session";

const LOADING_ROWS = ["first", "second", "third"];

/** The sums in and out of the wallet by month, newest first. */
export function Months() {
  const asked = useQuery(monthsQuery(useMember().id));
  return (
    <Panel title="Months">
      <Loaded query={asked} pending={<MonthsSkeleton />}>
        {(months) => <Rows months={months} />}
      </Loaded>
    </Panel>
  );
}

function Rows({ months }: { months: MonthOfWallet[] }) {
  if (months.every(({ count, opening }) => count === 0 && opening === 0)) {
    return (
      <EmptyState icon={CalendarDays} title="No months yet">
        Each month in which you use your wallet is summarised here.
      </EmptyState>
    );
  }
  return (
    <ol>
      {[...months].reverse().map((month) => (
        <Month key={month.month} month={month} />
      ))}
    </ol>
  );
}

function Month({ month }: { month: MonthOfWallet }) {
  return (
    <li className="month-line">
      <div className="statement-what">
        <strong>{monthName(month.month)}</strong>
        <span className="small muted">{counted(month.count, "transaction")}</span>
        <span className="small muted">Opening balance {formatNaira(month.opening)}</span>
      </div>
      <div className="month-amounts">
        <span className="is-incoming">In {formatNaira(month.in)}</span>
        <span>Out {formatNaira(month.out)}</span>
        <span className="small muted">Closing balance {formatNaira(month.closing)}</span>
      </div>
    </li>
  );
}

function MonthsSkeleton() {
  return (
    <div role="status" aria-label="Loading the months">
      {LOADING_ROWS.map((row) => (
        <div key={row} className="month-line">
          <Skeleton shape="numeral" />
        </div>
      ))}
    </div>
  );
}
