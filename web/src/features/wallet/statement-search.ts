import { useSearchParams } from "react-router-dom";
import type { StatementRow } from "@/api/wire";

export type MovementKind = StatementRow["kind"];

/** The transaction filter; an empty value means any. Days are Lagos', both inclusive. */
export interface StatementSearch {
  from: string;
  to: string;
  kind: MovementKind | "";
}

export const KINDS: { kind: MovementKind; text: string }[] = [
  { kind: "fund", text: "Fundings" },
  { kind: "purchase", text: "Orders" },
  { kind: "subscription", text: "Plans" },
  { kind: "refund", text: "Refunds" },
  { kind: "adjust", text: "Adjustments" },
  { kind: "chargeback", text: "Chargebacks" },
  { kind: "debt_repayment", text: "Debt repayments" },
];

const A_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filter in the URL, without invalid values. */
export function readSearch(address: URLSearchParams): StatementSearch {
  const day = (name: string) => {
    const written = address.get(name) ?? "";
    return A_DAY.test(written) && !Number.isNaN(Date.parse(written)) ? written : "";
  };
  const found = KINDS.find(({ kind }) => kind === address.get("kind"));
  return { from: day("from"), to: day("to"), kind: found?.kind ?? "" };
}

/** The filter as query parameters; empty ones are left out. */
export function asQuery({ from, to, kind }: StatementSearch) {
  return { from: from || undefined, to: to || undefined, kind: kind || undefined };
}

/** The statement's filter, which lives in the URL, and a setter. */
export function useStatementSearch() {
  const [address, setAddress] = useSearchParams();
  const change = (part: Partial<StatementSearch>) => {
    const chosen = { ...readSearch(address), ...part };
    const said = Object.entries(chosen).filter(([, value]) => value !== "");
    setAddress(new URLSearchParams(said), { replace: true });
  };
  return [readSearch(address), change] as const;
}
