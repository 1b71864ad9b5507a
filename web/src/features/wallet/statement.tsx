import "@/styles/statement.css";
import { useInfiniteQuery } from "@tanstack/react-query";
import {
  CreditCard,
  HandCoins,
  Landmark,
  type LucideIcon,
  Plus,
  Receipt,
  Scale,
  SearchX,
  ShoppingBag,
  Undo2,
} from "lucide-react";
import { receiptPage } from "@/api/receipts";
import type { StatementRow } from "@/api/wire";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ReceiptButton } from "@/components/receipt-button";
import { Skeleton } from "@/components/skeleton";
import { statementQuery } from "@/features/wallet/api";
import { StatementFilter } from "@/features/wallet/statement-filter";
import { type MovementKind, useStatementSearch } from "@/features/wallet/statement-search";
import { formatMoment } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import { spokenWords } from "@/lib/format/names";
import { useMember } from "@/lib/session/session";

const LOADING_ROWS = ["first", "second", "third", "fourth"];

/** Every transaction of the wallet, newest first, each with the balance after it. */
export function Statement() {
  const { id } = useMember();
  const [search, change] = useStatementSearch();
  const statement = useInfiniteQuery(statementQuery(id, search));
  const isNarrowed = Object.values(search).some((value) => value !== "");
  return (
    <Panel title="Statement" className="statement-panel">
      <StatementFilter search={search} isNarrowed={isNarrowed} onChange={change} />
      <Loaded query={statement} pending={<StatementSkeleton />}>
        {({ pages }) => <Movements rows={pages.flat()} isNarrowed={isNarrowed} />}
      </Loaded>
      {statement.hasNextPage ? (
        <Button
          variant="secondary"
          busy={statement.isFetchingNextPage}
          onClick={() => void statement.fetchNextPage()}
        >
          Show older
        </Button>
      ) : null}
    </Panel>
  );
}

function Movements({ rows, isNarrowed }: { rows: StatementRow[]; isNarrowed: boolean }) {
  if (rows.length === 0 && isNarrowed) {
    return <EmptyState icon={SearchX} title="No transactions of this kind on these days" />;
  }
  if (rows.length === 0) {
    return (
      <EmptyState icon={Receipt} title="No transactions yet">
        Money into and out of your wallet is listed here.
      </EmptyState>
    );
  }
  return (
    <ol className="statement">
      {rows.map((row) => (
        <StatementLine key={row.id} row={row} />
      ))}
    </ol>
  );
}

const ICONS: Record<MovementKind, LucideIcon> = {
  fund: Plus,
  purchase: ShoppingBag,
  subscription: CreditCard,
  refund: Undo2,
  adjust: Scale,
  chargeback: Landmark,
  debt_repayment: HandCoins,
};

/** What a transaction was for and its amount; pressing it shows its reference and receipt. */
function StatementLine({ row }: { row: StatementRow }) {
  const incoming = row.amount > 0;
  const Icon = ICONS[row.kind] ?? Receipt;
  return (
    <li>
      <details className="statement-entry">
        <summary className="statement-line">
          <span className={incoming ? "statement-icon is-incoming" : "statement-icon"}>
            <Icon aria-hidden="true" />
          </span>
          <span className="statement-what">
            <strong>{row.title || spokenWords(row.kind)}</strong>
            <span className="small muted">{formatMoment(row.createdAt)}</span>
          </span>
          <span className="statement-amounts">
            <strong className={incoming ? "is-incoming" : undefined}>
              {incoming ? "+" : "−"}
              {formatNaira(Math.abs(row.amount))}
            </strong>
            <span className="small muted">Balance {formatNaira(row.balanceAfter)}</span>
          </span>
        </summary>
        <div className="statement-more">
          <p className="small muted">
            Reference: <span className="statement-reference">{row.reference}</span>
          </p>
          {row.receipt ? <StatementReceipt row={row} receipt={row.receipt} /> : null}
        </div>
      </details>
    </li>
  );
}

interface StatementReceiptProps {
  row: StatementRow;
  receipt: NonNullable<StatementRow["receipt"]>;
}

function StatementReceipt({ row, receipt }: StatementReceiptProps) {
  const { kind, id } = receipt;
  return (
    <ReceiptButton of={row.title || spokenWords(row.kind)} findPage={() => receiptPage(kind, id)} />
  );
}

function StatementSkeleton() {
  return (
    <div role="status" aria-label="Loading the statement">
      {LOADING_ROWS.map((row) => (
        <div key={row} className="statement-line">
          <Skeleton shape="numeral" />
        </div>
      ))}
    </div>
  );
}
