import { Tabs } from "~/parts/tabs";

const TABS = [
  { path: "/money", title: "Fundings" },
  { path: "/money/webhooks", title: "Webhooks" },
  { path: "/money/review-cases", title: "Review cases" },
  { path: "/money/disputes", title: "Disputes" },
  { path: "/money/debts", title: "Debts" },
  { path: "/money/bank", title: "Bank" },
  { path: "/money/bank/missing", title: "Missing at the bank" },
  { path: "/money/proofs", title: "Ledger checks" },
];

/** The tabs of money. */
export function MoneyTabs() {
  return <Tabs label="Money" tabs={TABS} />;
}
