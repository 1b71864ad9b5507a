import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Panel } from "@/components/panel";
import { formatNaira } from "@/lib/format/money";
import { AdjustmentField } from "~/areas/members/adjustment-field";
import type { Member } from "~/areas/members/member";
import { Action } from "~/parts/action";
import { RowsTable, type RowsTableProps } from "~/parts/rows-table";

/** The wallet's balance, debt and latest transactions; hidden without the right to read money. */
export function WalletPanel({ member }: { member: Member }) {
  const { id, wallet, erasedAt } = member;
  if (wallet === null) {
    return null;
  }
  return (
    <Newest
      title="Wallet"
      action={
        <span>
          {wallet.debt > 0 ? (
            <>
              <Link to="/money/debts?state=open">Owes {formatNaira(wallet.debt)}</Link>{" "}
            </>
          ) : null}
          <strong>{formatNaira(wallet.balance)}</strong>
        </span>
      }
      none="No transactions yet."
      rows={wallet.rows}
      columns={[
        { title: "What", value: ({ title }) => title },
        { title: "When", as: "moment", value: ({ createdAt }) => createdAt },
        { title: "Amount", as: "naira", value: ({ amount }) => amount },
        { title: "Balance", as: "naira", value: ({ balanceAfter }) => balanceAfter },
      ]}
    >
      {erasedAt === null ? (
        <div className="buttons">
          <Action
            call="POST /api/v1/admin/members/{user_id}/adjustments"
            inPath={{ user_id: id }}
            text="Adjust wallet"
            note="Large amounts need a second operator's approval."
            labels={{ amount: "Amount in naira" }}
            controls={{
              amount: (field) => <AdjustmentField field={field} member={member} {...wallet} />,
            }}
          />
        </div>
      ) : null}
    </Newest>
  );
}

/** The latest orders; hidden without the right to read them. */
export function OrdersPanel({ member: { orders } }: { member: Member }) {
  return orders === null ? null : (
    <Newest
      title="Orders"
      none="No orders yet."
      rows={orders}
      to={({ orderNumber }) => `/orders/${orderNumber}`}
      columns={[
        { title: "Order", value: ({ orderNumber }) => orderNumber },
        { title: "Placed", as: "moment", value: ({ createdAt }) => createdAt },
        { title: "Status", as: "state", value: ({ status }) => status },
        { title: "Total", as: "naira", value: ({ total }) => total },
      ]}
    />
  );
}

/** The latest funding attempts; hidden without the right to read money. */
export function FundingsPanel({ member: { fundings } }: { member: Member }) {
  return fundings === null ? null : (
    <Newest
      title="Fundings"
      none="No fundings yet."
      rows={fundings}
      to={({ reference }) => `/money?q=${encodeURIComponent(reference)}`}
      columns={[
        { title: "Reference", value: ({ reference }) => reference },
        { title: "Started", as: "moment", value: ({ createdAt }) => createdAt },
        { title: "State", as: "state", value: ({ state }) => state },
        { title: "Amount", as: "naira", value: ({ amount }) => amount },
      ]}
    />
  );
}

/** The latest refunds; hidden without the right to read them. */
export function RefundsPanel({ member: { refunds } }: { member: Member }) {
  return refunds === null ? null : (
    <Newest
      title="Refunds"
      none="No refunds yet."
      rows={refunds}
      to={({ state }) => `/refunds?state=${state}`}
      columns={[
        { title: "For", value: ({ bought }) => bought },
        { title: "Requested", as: "moment", value: ({ askedAt }) => askedAt },
        { title: "State", as: "state", value: ({ state }) => state },
        { title: "Amount", as: "naira", value: ({ amount }) => amount },
      ]}
    />
  );
}

interface NewestProps<Row> extends RowsTableProps<Row> {
  title: string;
  action?: ReactNode;
  none: string;
  children?: ReactNode;
}

function Newest<Row extends object>({ title, action, none, children, ...rows }: NewestProps<Row>) {
  return (
    <Panel title={title} action={action}>
      {rows.rows.length === 0 ? <p className="muted">{none}</p> : <RowsTable {...rows} />}
      {children}
    </Panel>
  );
}
