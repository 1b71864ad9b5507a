import { Search } from "lucide-react";
import { Link, useSearchParams } from "react-router-dom";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import type { Listing, RowOf } from "~/api/calls";
import { useMay } from "~/api/operator";
import { useRows } from "~/api/queries";
import { memberName } from "~/parts/member-link";
import { type Column, RowsTable } from "~/parts/rows-table";
import { SearchField } from "~/parts/search-field";

/** The members' search does not accept less. */
const MIN_LENGTH = 3;
const MAX_ROWS = 5;

/** Members, orders and payments that match, as far as the operator may read them. */
export default function SearchPage() {
  const q = useSearchParams()[0].get("q")?.trim() ?? "";
  return (
    <div className="screen search-page">
      <SearchField />
      {q.length < MIN_LENGTH ? (
        <EmptyState icon={Search} title="Search members, orders and payments">
          Type a name, an email address, a phone number, an order number or a payment reference:
          three characters or more.
        </EmptyState>
      ) : (
        <Results key={q} q={q} />
      )}
    </div>
  );
}

function Results({ q }: { q: string }) {
  return (
    <>
      <Matches
        title="Members"
        call="GET /api/v1/admin/members"
        q={q}
        list="/members"
        to={({ id }) => `/members/${id}`}
        columns={[
          { title: "Member", value: (member) => memberName(member) },
          { title: "Email", value: ({ email }) => email },
          { title: "Phone", value: ({ phone }) => phone },
          { title: "Club", value: ({ clubName }) => clubName },
        ]}
      />
      <Matches
        title="Orders"
        call="GET /api/v1/admin/orders"
        q={q}
        list="/orders"
        to={({ orderNumber }) => `/orders/${orderNumber}`}
        columns={[
          { title: "Order", value: ({ orderNumber }) => orderNumber },
          { title: "Placed", as: "moment", value: ({ createdAt }) => createdAt },
          { title: "Member", value: ({ member }) => memberName(member) },
          { title: "Status", as: "state", value: ({ status }) => status },
          { title: "Total", as: "naira", value: ({ total }) => total },
        ]}
      />
      <Matches
        title="Payments"
        call="GET /api/v1/admin/fundings"
        q={q}
        list="/money"
        to={({ reference }) => `/money?${new URLSearchParams({ q: reference })}`}
        columns={[
          { title: "Reference", value: ({ reference }) => reference },
          { title: "Started", as: "moment", value: ({ createdAt }) => createdAt },
          { title: "Member", value: ({ member }) => memberName(member) },
          { title: "State", as: "state", value: ({ state }) => state },
          { title: "Amount", as: "naira", value: ({ amount }) => amount },
        ]}
      />
    </>
  );
}

interface MatchesProps<C extends Listing> {
  title: string;
  call: C;
  q: string;
  /** The screen with all matches. */
  list: string;
  to: (row: RowOf<C>) => string;
  columns: readonly Column<RowOf<C>>[];
}

/** The first matches of one kind; hidden without the right. */
function Matches<C extends Listing>({ call, ...props }: MatchesProps<C>) {
  return useMay(call) ? <FirstMatches call={call} {...props} /> : null;
}

function FirstMatches<C extends Listing>({ title, call, q, list, to, columns }: MatchesProps<C>) {
  const asked = useRows(call, { inQuery: { q } });
  return (
    <Panel title={title}>
      <Loaded query={asked} pending={<Skeleton shape="block" />}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          if (rows.length === 0) {
            return <p className="muted">No matches.</p>;
          }
          return (
            <>
              <RowsTable rows={rows.slice(0, MAX_ROWS)} columns={columns} rowKey={to} to={to} />
              {rows.length > MAX_ROWS ? (
                <Link to={`${list}?${new URLSearchParams({ q })}`}>
                  Show all matching {title.toLowerCase()}
                </Link>
              ) : null}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
