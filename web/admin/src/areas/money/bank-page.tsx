import { Link } from "react-router-dom";
import { buttonClasses } from "@/components/button";
import { formatDate, formatDay } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import type { RowOf } from "~/api/calls";
import { useMay } from "~/api/operator";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { StatementImport } from "~/areas/money/statement-import";
import { confirmationAddress } from "~/lib/confirmation-address";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { choiceOf } from "~/parts/choice";
import { LongWords } from "~/parts/long-words";
import { OrderLink } from "~/parts/order-link";
import { ResourceList } from "~/parts/resource-list";
import { StateBadge } from "~/parts/state-badge";

const MATCH = "POST /api/v1/admin/bank-lines/{line_id}/match";
const CONFIRM = "POST /api/v1/admin/orders/{order_id}/confirm-transfer";

/** The filter that Today counts comes first. */
const STATES = [
  { value: "open", text: "All not matched" },
  { value: "ambiguous", text: "Ambiguous" },
  { value: "unmatched", text: "Unmatched" },
  { value: "matched", text: "Matched" },
];

type Line = RowOf<"GET /api/v1/admin/bank-lines">;

/** Bank statements: imports, and each line with its confirmed transfer. */
export default function BankPage() {
  const mayImport = useMay("POST /api/v1/admin/bank-statements");
  return (
    <div className="screen">
      <MoneyTabs />
      {mayImport ? <StatementImport /> : null}
      <ResourceList
        call="GET /api/v1/admin/bank-lines"
        noun="bank line"
        empty="No bank lines"
        controls={{ state: choiceOf(STATES) }}
        columns={[
          {
            title: "Date",
            value: (line) => line.date,
            show: ({ date }) => (
              <time className="is-whole" dateTime={date}>
                {formatDate(date)}
              </time>
            ),
          },
          { title: "Amount", as: "naira", value: (line) => line.amount, total: true },
          { title: "Reference", value: (line) => line.reference },
          { title: "Narration", value: (line) => line.narration },
          {
            title: "State",
            value: (line) => line.state,
            sortBy: (line) => labelOf(line.state),
            show: (line) => <State line={line} />,
          },
          {
            title: "Order",
            value: (line) => numbersOf(line).join(", "),
            show: (line) => {
              const numbers = numbersOf(line);
              const links = numbers.map((number) => <OrderLink key={number} number={number} />);
              return links.length === 0 ? "–" : links;
            },
          },
        ]}
        actions={(line) => <LineActions line={line} />}
      />
    </div>
  );
}

/** The orders that a line matches, may match or names. */
function numbersOf({ transfer, candidates, order }: Line): string[] {
  const found = transfer === null ? candidates : [transfer];
  const numbers = found.map(({ orderNumber }) => orderNumber);
  return [...new Set(order === null ? numbers : [...numbers, order.number])];
}

function State({ line: { state, matchedBy, reason } }: { line: Line }) {
  return (
    <>
      <StateBadge state={state} />
      {matchedBy === null ? null : (
        <p className="small muted">
          {matchedBy.name}: {reason}
        </p>
      )}
    </>
  );
}

/** Actions on an unmatched line: confirm its transfer, or match it manually. */
function LineActions({ line }: { line: Line }) {
  const mayConfirm = useMay(CONFIRM);
  const { id, state, order, date, amount, reference, narration, candidates } = line;
  if (state === "matched") {
    return null;
  }
  return (
    <>
      {order !== null && mayConfirm ? (
        <Link
          className={buttonClasses("primary")}
          to={confirmationAddress(order.number, {
            amount,
            paidOn: date,
            reference: reference || order.number,
          })}
        >
          Confirm {order.number}
        </Link>
      ) : null}
      <Action
        call={MATCH}
        inPath={{ line_id: id }}
        text="Match"
        header="Match by hand"
        note={
          <>
            {formatNaira(amount)} on {formatDay(date)}: <LongWords text={narration} />
          </>
        }
        labels={{ orderId: "Order" }}
        {...(candidates.length === 0
          ? { hints: { orderId: "The number of the order that this transfer paid" } }
          : { controls: { orderId: choiceOf(optionsOf(candidates)) } })}
      />
    </>
  );
}

/** An order with several such transfers is offered once: the server picks the nearest. */
function optionsOf(candidates: Line["candidates"]) {
  const byOrder = new Map([...candidates].reverse().map((one) => [one.orderId, one]));
  return [...byOrder.values()].reverse().map(({ orderId, orderNumber, reference, paidOn }) => ({
    value: orderId,
    text: `${orderNumber}, ${reference}, paid on ${formatDay(paidOn)}`,
  }));
}
