import { render } from "@testing-library/react";
import userEvent, { PointerEventsCheckLevel } from "@testing-library/user-event";
import { StrictMode } from "react";
import { MemoryRouter } from "react-router-dom";
import { envelope, serve } from "@/test/server";
import type { Operator } from "~/api/operator";
import { BackOffice } from "~/app/app";
import { leaveSession, operatorSession } from "~/lib/operator-session";

const HOUR_MS = 60 * 60 * 1000;

/** An operator with all rights; options override the defaults. */
export function anOperator(facts: Partial<Operator> = {}): Operator {
  const inAnHour = new Date(Date.now() + HOUR_MS).toISOString();
  return {
    id: "0199f2a4-0000-7000-8000-00000000000a",
    userId: "0199f2a4-0000-7000-8000-00000000000b",
    name: "Ops Desk",
    roles: ["owner"],
    rights: ["plans:write", "money:read", "shop:read", "settings:write", "audit:read"],
    idleEndsAt: inAnHour,
    endsAt: inAnHour,
    freshUntil: inAnHour,
    ...facts,
  };
}

/** Open the back office at `address`, signed in as `operator` or signed out. */
export function openOffice(address: string, operator: Operator | null = anOperator()) {
  if (operator !== null) {
    operatorSession.write({ token: "token-of-an-operator" });
    serve("get", "/api/v1/admin/me", () => envelope(200, operator));
    serve("get", "/api/v1/admin/today", () =>
      envelope(200, { waiting: { approvals: 0 }, proposed: 0, ledger: { ok: true }, backup: null }),
    );
    serve("get", "/api/v1/admin/figures", () => envelope(200, { days: [], countedAt: null }));
  } else if (operatorSession.read() === null) {
    leaveSession(); // a session that ended in an earlier test is remembered
  }
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  const screen = render(
    <StrictMode>
      <MemoryRouter initialEntries={[address]}>
        <BackOffice />
      </MemoryRouter>
    </StrictMode>,
  );
  return { ...screen, user };
}

/** A page of rows, as returned by list calls. */
export function page(rows: unknown[], next: string | null = null) {
  return envelope(200, { rows, next });
}

/** A plan in the list. */
export function aPlan(facts: object = {}) {
  return {
    id: "0199f2a4-0000-7000-8000-0000000000c1",
    plan: "Terrace",
    amount: 500,
    duration: 1,
    period: "month",
    benefits: ["Daily Quest"],
    battleZone: false,
    hidden: false,
    position: 1,
    version: 3,
    ...facts,
  };
}
