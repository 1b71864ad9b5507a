import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { PlanPeriod } from "@/api/wire";
import { aPlan, aPlanState, noPlan } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

const RENEWAL = "/api/v1/users/subscription/:id/renewal";
const HISTORY = "/api/v1/users/subscription/:id";

let plan = aPlanState();
let periods: PlanPeriod[] = [];
let chosen: SeenRequest[] = [];

function aPeriod(id: string, change: Partial<PlanPeriod> = {}): PlanPeriod {
  return {
    id,
    subscriptionId: "battle-pass",
    plan: `Battle Pass ${id}`,
    amount: 1500,
    startsAt: "2026-10-01T12:00:00Z",
    endsAt: "2026-11-01T12:00:00Z",
    state: "ended",
    renews: false,
    gift: false,
    credited: 0,
    ...change,
  };
}

beforeEach(() => {
  plan = aPlanState();
  periods = [];
  serve("get", "/api/v1/subscription", () => envelope(200, [aPlan()]));
  serve("get", "/api/v1/users/plan/validate/:id", () => envelope(200, plan));
  serve("get", HISTORY, ({ url }) => {
    const before = url.searchParams.get("before");
    const from = before === null ? 0 : periods.findIndex(({ id }) => id === before) + 1;
    return envelope(200, periods.slice(from, from + Number(url.searchParams.get("limit"))));
  });
  chosen = serve("put", RENEWAL, ({ body }) => {
    plan = { ...plan, ...(body as { renews: boolean }) };
    return envelope(200, plan, plan.renews ? "Your plan renews automatically." : "Your plan ends.");
  });
});

const panel = async (name: string) => within(await screen.findByRole("region", { name }));

test("a plan says when it ends; switched on, when it renews and for how much", async () => {
  const { user } = openAppAsMember("/subscriptions");
  const current = await panel("Your plan");
  expect(await current.findByText("Ends on")).toBeInTheDocument();
  expect(current.getByText("1 December 2026, 1:00 pm")).toBeInTheDocument();
  const renewal = current.getByRole("switch", { name: "Renew automatically" });
  expect(renewal).not.toBeChecked();

  await user.click(renewal);

  expect(await current.findByText("Renews on")).toBeInTheDocument();
  expect(current.getByText("₦1,500")).toBeInTheDocument();
  expect(renewal).toBeChecked();
  expect(await screen.findByText("Your plan renews automatically.")).toBeInTheDocument();
  expect(chosen.map(({ body }) => body)).toEqual([{ renews: true }]);

  await user.click(renewal);
  expect(await current.findByText("Ends on")).toBeInTheDocument();
});

test("a refused renewal is told, and the switch goes back", async () => {
  serve("put", RENEWAL, () => refusal(409, "plan_not_on_offer", "This plan is no longer offered."));
  const { user } = openAppAsMember("/subscriptions");
  const renewal = await screen.findByRole("switch", { name: "Renew automatically" });

  await user.click(renewal);

  expect(await screen.findByText("This plan is no longer offered.")).toBeInTheDocument();
  await waitFor(() => expect(renewal).not.toBeChecked());
});

test("in grace it is said until when the plan stays, and what to do; off ends it", async () => {
  plan = aPlanState({ state: "grace", renews: true, graceEndsAt: "2026-12-02T12:00:00Z" });
  serve("put", RENEWAL, () => {
    plan = noPlan;
    return envelope(200, plan, "Your plan ends with its period.");
  });
  const { user } = openAppAsMember("/subscriptions");
  const current = await panel("Your plan");

  expect(await current.findByText("2 December 2026, 1:00 pm")).toBeInTheDocument();
  expect(current.getByText(/your wallet did not hold ₦1,500/)).toHaveTextContent(
    "Fund your wallet before then, and it renews automatically.",
  );
  expect(current.getByRole("link", { name: "To your wallet" })).toHaveAttribute("href", "/wallet");
  const renewal = current.getByRole("switch", { name: "Renew automatically" });
  expect(renewal).toHaveAccessibleDescription("Switched off, your plan ends now.");

  await user.click(renewal);

  expect(await current.findByText("You have no plan.")).toBeInTheDocument();
});

test("an announced price says what a renewal costs from when on", async () => {
  plan = aPlanState({
    renews: true,
    priceChange: { amount: 1800, from: "2027-01-01T12:00:00Z" },
  });
  openAppAsMember("/subscriptions");
  const current = await panel("Your plan");

  expect(await current.findByText(/The price changes/)).toHaveTextContent(
    "a renewal from 1 January 2027, 1:00 pm on costs ₦1,800.",
  );
});

test("a gift is marked; what cannot be renewed has no switch", async () => {
  plan = aPlanState({ gift: true, nextAmount: null });
  openAppAsMember("/subscriptions");
  const current = await panel("Your plan");

  expect(await current.findByText("Gift")).toBeInTheDocument();
  expect(current.getByText("This plan cannot be renewed.")).toBeInTheDocument();
  expect(current.queryByRole("switch")).not.toBeInTheDocument();
});

test("the history names each period, its state, what came back, and older ones with a press", async () => {
  periods = [
    aPeriod("gift", { gift: true, amount: 0, state: "active" }),
    aPeriod("old", { state: "replaced", credited: 250 }),
    ...Array.from({ length: 12 }, (_, index) => aPeriod(`p-${index}`)),
  ];
  const { user } = openAppAsMember("/subscriptions");
  const history = await panel("Plan history");

  const rows = await history.findAllByRole("listitem");
  expect(rows).toHaveLength(10);
  expect(rows[0]).toHaveTextContent(/Battle Pass gift.*Active.*Gift.*₦0/);
  expect(rows[1]).toHaveTextContent(/₦250 for unused days went back to your wallet.*Replaced/);

  await user.click(history.getByRole("button", { name: "Show older" }));

  await waitFor(() => expect(history.getAllByRole("listitem")).toHaveLength(14));
  expect(history.queryByRole("button", { name: "Show older" })).not.toBeInTheDocument();
});

test("without plans the history says so, and what did not come is asked for again", async () => {
  serve("get", HISTORY, () => refusal(503, "unavailable", "Plans are busy."));
  const { user } = openAppAsMember("/subscriptions");
  const history = await panel("Plan history");
  expect(await history.findByText("Plans are busy.")).toBeInTheDocument();
  serve("get", HISTORY, () => envelope(200, []));

  await user.click(history.getByRole("button", { name: "Try again" }));

  expect(await history.findByText("No plans yet")).toBeInTheDocument();
});
