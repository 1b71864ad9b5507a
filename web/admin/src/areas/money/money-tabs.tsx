import "~/areas/money/money.css";
import { NavLink } from "react-router-dom";
import { Action } from "~/parts/action";

const TABS = [
  { path: "/money", title: "Fundings" },
  { path: "/money/webhooks", title: "Webhooks" },
  { path: "/money/review-cases", title: "Review cases" },
  { path: "/money/disputes", title: "Disputes" },
  { path: "/money/debts", title: "Debts" },
  { path: "/money/proofs", title: "Proofs" },
];

/** The parts of money, and the button that proves the ledger. */
export function MoneyTabs() {
  return (
    <div className="list-head">
      <nav className="tabs" aria-label="Money">
        {TABS.map(({ path, title }) => (
          <NavLink key={path} to={path} end>
            {title}
          </NavLink>
        ))}
      </nav>
      <Action call="POST /api/v1/admin/proofs" text="Prove now" />
    </div>
  );
}
