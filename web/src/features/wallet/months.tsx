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
      <div className="month-head">
        <strong>{monthName(month.month)}</strong>
        <span className="small muted">{counted(month.count, "transaction")}</span>
      </div>
      <dl className="month-amounts small">
        <Sum of="Opening balance" naira={month.opening} />
        <Sum of="In" naira={month.in} />
        <Sum of="Out" naira={month.out} />
        <Sum of="Closing balance" naira={month.closing} />
      </dl>
    </li>
  );
}

function Sum({ of, naira }: { of: string; naira: number }) {
  return (
    <div>
      <dt className="muted">{of}</dt> <dd>{formatNaira(naira)}</dd>
    </div>
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
