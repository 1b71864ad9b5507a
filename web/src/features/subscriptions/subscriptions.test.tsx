import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { session } from "@/lib/session/session";
import { aPlan, aPlanState, aSession, noPlan } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

let plan = noPlan;
let balance = 25_000;
let bought: SeenRequest[] = [];

beforeEach(() => {
  plan = noPlan;
  balance = 25_000;
  serve("get", "/api/v1/subscription", () =>
    envelope(200, [
      aPlan({ id: "terrace", plan: "Terrace", amount: 500, duration: 3, battleZone: false }),
      aPlan(),
    ]),
  );
  serve("get", "/api/v1/users/plan/validate/:id", () => envelope(200, plan));
  serve("get", "/api/v1/users/subscription/:id", () => envelope(200, []));
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance }));
  serve("get", "/api/v1/payment/funding-limits", () =>
    envelope(200, { minimum: 100, maximum: 1e6, dailyMaximum: 2e6, remainingToday: 2e6 }),
  );
  bought = serve("post", "/api/v1/users/subscription", () => {
    plan = aPlanState();
    const { subscriptionId, startsAt, endsAt } = aPlanState();
    return envelope(
      201,
      { subscriptionId, plan: "Battle Pass", startsAt, endsAt, credited: 250 },
      "You are subscribed to Battle Pass.",
    );
  });
});

const card = (name: string) => screen.findByRole("article", { name });

test("a card per plan: name, naira, duration, benefits split at commas, and Subscribe", async () => {
  openAppAsMember("/subscriptions");

  expect(
    await screen.findByText("Free for every member: Daily Quest, boards, chat, predictions, shop"),
  ).toBeInTheDocument();

  const pass = await card("Battle Pass");
  expect(pass).toHaveTextContent("₦1,500");
  expect(pass).toHaveTextContent("1 month");
  const benefits = within(pass).getAllByRole("listitem");
  expect(benefits.map(({ textContent }) => textContent)).toEqual([
    "Battle Zone every day",
    "Daily Quest",
    "Club chat",
  ]);
  expect(within(pass).getByRole("button", { name: "Subscribe" })).toBeEnabled();
  expect(await card("Terrace")).toHaveTextContent("3 months");
});

test("the current plan reads Subscribed, cannot be pressed and says until when", async () => {
  plan = aPlanState();
  openAppAsMember("/subscriptions");

  const pass = await card("Battle Pass");

  expect(await within(pass).findByRole("button", { name: "Subscribed" })).toBeDisabled();
  expect(pass).toHaveTextContent("Runs until 1 December 2026, 1:00 pm");
});

test("beside an active plan a cheaper one is offered quietly, and says what it replaces", async () => {
  plan = aPlanState();
  openAppAsMember("/subscriptions");

  const terrace = within(await card("Terrace"));

  expect(await terrace.findByText("Replaces your Battle Pass")).toBeInTheDocument();
  expect(terrace.getByRole("button", { name: "Switch to Terrace" })).toHaveClass(
    "button-secondary",
  );
  expect(within(await card("Battle Pass")).queryByText(/^Replaces/)).toBeNull();
});

test("the details show plan, price, period, duration and the wallet, and buy once", async () => {
  const { user } = openAppAsMember("/subscriptions");
  await user.click(within(await card("Battle Pass")).getByRole("button"));

  const modal = screen.getByRole("dialog", { name: "Subscription Details" });
  const details = within(modal).getAllByRole("definition");
  expect(details.map(({ textContent }) => textContent)).toEqual([
    "Battle Pass",
    "₦1,500",
    "Monthly",
    "1",
  ]);
  expect(await within(modal).findByText("₦25,000.00")).toBeInTheDocument();
  await user.click(within(modal).getByRole("button", { name: "Subscribe" }));

  // A message is in the dialog until that closes, then on the page.
  await screen.findByText("You are subscribed to Battle Pass.");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("You are subscribed to Battle Pass.")).toBeInTheDocument();
  expect(screen.getByText("₦250 for unused days is back in your wallet.")).toBeInTheDocument();
  expect(bought).toHaveLength(1);
  expect(bought[0]?.body).toEqual({
    subscriptionId: "battle-pass",
    userId: "member-1",
    agreed: { amount: 1500, duration: 1, period: "month" },
  });
  expect(bought[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
  expect(session.read()?.subscriptionId).toBe("battle-pass");
  expect(within(await card("Battle Pass")).getByRole("button")).toHaveTextContent("Subscribed");
});

test("a plan that has changed since is not bought, and its details show the new price", async () => {
  const dearer = aPlan({ amount: 9000 });
  const asked = serve("post", "/api/v1/users/subscription", () => {
    serve("get", "/api/v1/subscription", () => envelope(200, [dearer]));
    return refusal(409, "price_changed", "This plan has changed.");
  });
  const { user } = openAppAsMember("/subscriptions?plan=battle-pass");
  const modal = within(await screen.findByRole("dialog", { name: "Subscription Details" }));
  await modal.findByText("₦25,000.00");

  await user.click(modal.getByRole("button", { name: "Subscribe" }));

  expect(await screen.findByText("This plan has changed.")).toBeInTheDocument();
  expect(await modal.findByText("₦9,000")).toBeInTheDocument();
  expect(asked).toHaveLength(1);
});

test("the Subscribe button turns while the server decides", async () => {
  let answer = (_response: Response) => {};
  const asked = serve(
    "post",
    "/api/v1/users/subscription",
    () => new Promise((resolve) => (answer = resolve)),
  );
  const { user } = openAppAsMember("/subscriptions?plan=battle-pass");
  const modal = await screen.findByRole("dialog", { name: "Subscription Details" });

  await user.click(within(modal).getByRole("button", { name: "Subscribe" }));

  const button = within(modal).getByRole("button", { name: "Subscribe" });
  await waitFor(() => expect(button).toHaveAttribute("aria-busy", "true"));
  await waitFor(() => expect(asked).toHaveLength(1));
  answer(refusal(409, "already_subscribed", "You are already subscribed to this plan."));
  expect(await screen.findByText("You are already subscribed to this plan.")).toBeInTheDocument();
});

test("the address opens a plan's details, and closing them cleans it", async () => {
  const { user } = openAppAsMember("/subscriptions?plan=terrace");

  const modal = await screen.findByRole("dialog", { name: "Subscription Details" });
  expect(modal).toHaveTextContent("Terrace");
  await user.click(within(modal).getByRole("button", { name: "Close" }));

  expect(screen.queryByRole("dialog")).toBeNull();
});

test("switching plans explains what becomes of the old one", async () => {
  plan = aPlanState({ subscriptionId: "terrace", plan: "Terrace", isBattleZonePlan: false });
  openAppAsMember("/subscriptions?plan=battle-pass");

  expect(await screen.findByText(/your Terrace plan ends/)).toHaveTextContent(
    "Battle Pass starts now and your Terrace plan ends. Its unused whole days are paid back to your wallet.",
  );
});

test("too little in the wallet leaves one action, which funds and subscribes", async () => {
  balance = 900;
  openAppAsMember("/subscriptions?plan=battle-pass");
  const modal = within(await screen.findByRole("dialog", { name: "Subscription Details" }));

  expect(await modal.findByText("₦600.00")).toBeInTheDocument();

  const actions = modal.getAllByRole("button").map(({ textContent }) => textContent);
  expect(actions.filter(Boolean)).toEqual(["Fund ₦600 and subscribe", "Close"]);
});

test("an empty wallet's refusal is told and changes nothing", async () => {
  serve("post", "/api/v1/users/subscription", () =>
    refusal(402, "insufficient_funds", "Insufficient wallet balance.", {
      data: { shortfall: 600 },
    }),
  );
  const { user } = openAppAsMember("/subscriptions?plan=battle-pass");
  const modal = await screen.findByRole("dialog", { name: "Subscription Details" });

  await user.click(within(modal).getByRole("button", { name: "Subscribe" }));

  expect(await screen.findByText("Insufficient wallet balance.")).toBeInTheDocument();
  expect(session.read()?.subscriptionId).toBeNull();
});

test("after a lost answer the details stay while the plan is refetched, and a second try is told", async () => {
  bought = serve("post", "/api/v1/users/subscription", () => {
    plan = aPlanState();
    const { subscriptionId, startsAt, endsAt } = plan;
    const data = { subscriptionId, plan: "Battle Pass", startsAt, endsAt, credited: 0 };
    return bought.length === 1 ? Response.error() : envelope(201, data);
  });
  const { user } = openAppAsMember("/subscriptions?plan=battle-pass");
  const modal = await screen.findByRole("dialog", { name: "Subscription Details" });
  await user.click(within(modal).getByRole("button", { name: "Subscribe" }));
  await within(modal).findByText(/Try again: it will only be done once/);

  window.dispatchEvent(new Event("visibilitychange"));
  await screen.findByText(/^Runs until/);
  await user.click(within(modal).getByRole("button", { name: "Subscribe" }));

  await screen.findByText("You are subscribed to Battle Pass.");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const keys = bought.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test("a plan that ran out corrects the stored user, on load and when the member comes back", async () => {
  plan = aPlanState();
  openAppAsMember("/subscriptions", aSession({ subscriptionId: null }));
  await waitFor(() => expect(session.read()?.subscriptionId).toBe("battle-pass"));

  plan = noPlan;
  window.dispatchEvent(new Event("visibilitychange"));

  await waitFor(() => expect(session.read()?.subscriptionId).toBeNull());
  expect(within(await card("Battle Pass")).getByRole("button")).toHaveTextContent("Subscribe");
});

test("plans that do not load show the server's message and can be asked again", async () => {
  let down = true;
  serve("get", "/api/v1/subscription", () =>
    down ? refusal(503, "unavailable", "Plans are busy.") : envelope(200, [aPlan()]),
  );
  const { user } = openAppAsMember("/subscriptions");
  expect(await screen.findByRole("alert")).toHaveTextContent("Plans are busy.");

  down = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await card("Battle Pass")).toBeInTheDocument();
});
