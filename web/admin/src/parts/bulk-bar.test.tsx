import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { expect, test } from "vitest";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";
import { aListedOrder } from "~/test/orders";
import { anOperator, openOffice, page } from "~/test/render";

const OPERATOR = anOperator({ rights: ["shop:read", "shop:write"] });
const SHIP = "/api/v1/admin/orders/:order/ship";

/** Orders with a state that shipping changes. */
function serveShop(...statuses: string[]) {
  const orders = statuses.map((status, index) => aListedOrder(index + 1, { status }));
  serve("get", "/api/v1/admin/orders", () => page(orders));
  const move = (request: SeenRequest) => {
    const order = orders.find(({ id }) => request.url.pathname.includes(id));
    if (order !== undefined) {
      order.status = "shipped";
    }
    return envelope(200, {}, "The order is on its way.");
  };
  return { orders, move };
}

const box = (name: string) => screen.findByLabelText(name);
const press = async (text: string) => {
  const found = await screen.findByText(text, { selector: "button span" });
  return found.closest("button") as HTMLButtonElement;
};
const keys = (seen: SeenRequest[]) => seen.map(({ headers }) => headers.get("Idempotency-Key"));
const numbers = (seen: SeenRequest[]) =>
  seen.map(({ url }) => Number(url.pathname.split("/").at(-2)?.slice(-3)));

/** A gate that opens once. */
function aGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

test("the selected orders are marked as shipped one after the other, each with its key", async () => {
  const { move } = serveShop("processing", "pending", "processing");
  const sent = serve("post", SHIP, move);
  const { user } = openOffice("/orders", OPERATOR);

  await user.click(await box("Select all shown"));
  expect(screen.queryByLabelText("FC-2")).toBeNull();
  expect(screen.getByText("2 orders selected")).toBeInTheDocument();
  await user.click(await press("Mark 2 as shipped"));

  const outcome = await screen.findByText("Mark 2 as shipped: 2 of 2 orders done.");
  expect(outcome).toHaveFocus();
  expect(numbers(sent)).toEqual([1, 3]);
  expect(new Set(keys(sent)).size).toBe(2);
  expect(keys(sent)).not.toContain(null);

  await user.click(await press("Close"));

  // They may be marked as delivered now, and are not selected any more.
  expect(await box("FC-1")).not.toBeChecked();
  expect(screen.queryByRole("region", { name: "Selected rows" })).toBeNull();
});

test("each action is for the rows that allow it", async () => {
  serveShop("processing", "shipped", "shipped");
  const delivered = serve("post", "/api/v1/admin/orders/:order/deliver", () => envelope(200, {}));
  const { user } = openOffice("/orders", OPERATOR);

  await user.click(await box("FC-1"));
  expect(await box("Select all shown")).toBePartiallyChecked();
  await user.click(await box("FC-2"));

  expect(await press("Mark 1 as shipped")).toBeInTheDocument();
  await user.click(await press("Mark 1 as delivered"));

  expect(await screen.findByText(/1 of 1 order done/)).toBeInTheDocument();
  expect(numbers(delivered)).toEqual([2]);
});

test("what did not work is named with the server's sentence, and stays selected", async () => {
  const { move } = serveShop("processing", "processing", "processing");
  let isRefused = true;
  const sent = serve("post", SHIP, (request) =>
    isRefused && numbers([request])[0] === 2
      ? refusal(409, "refund_open", "A refund of this order is open.")
      : move(request),
  );
  const { user } = openOffice("/orders", OPERATOR);
  await user.click(await box("Select all shown"));
  await user.click(await press("Mark 3 as shipped"));

  await screen.findByText("Mark 3 as shipped: 2 of 3 orders done. 1 did not work.");
  const bar = within(screen.getByRole("region", { name: "Selected rows" }));
  expect(bar.getByRole("listitem")).toHaveTextContent("FC-2: A refund of this order is open.");
  expect(await box("FC-2")).toBeChecked();
  expect(await box("FC-1")).not.toBeChecked();

  isRefused = false;
  await user.click(await press("Close"));
  await user.click(await press("Mark 1 as shipped"));

  expect(await screen.findByText(/1 of 1 order done/)).toBeInTheDocument();
  expect(numbers(sent)).toEqual([1, 2, 3, 2]);
});

test("a lost answer is asked for again at once, with the same key", async () => {
  const { move } = serveShop("processing", "processing");
  const sent = serve("post", SHIP, (request) =>
    sent.length === 1 ? HttpResponse.error() : move(request),
  );
  const { user } = openOffice("/orders", OPERATOR);
  await user.click(await box("Select all shown"));
  await user.click(await press("Mark 2 as shipped"));

  expect(await screen.findByText("Mark 2 as shipped: 2 of 2 orders done.")).toBeInTheDocument();
  expect(numbers(sent)).toEqual([1, 1, 2]);
  expect(keys(sent)[1]).toBe(keys(sent)[0]);
  expect(keys(sent)[2]).not.toBe(keys(sent)[0]);
});

test("an order whose answer stays lost keeps its key for the next run", async () => {
  const { move } = serveShop("processing");
  let isLost = true;
  const sent = serve("post", SHIP, (request) => (isLost ? HttpResponse.error() : move(request)));
  const { user } = openOffice("/orders", OPERATOR);
  await user.click(await box("FC-1"));
  await user.click(await press("Mark 1 as shipped"));
  await screen.findByText(/0 of 1 order done. 1 did not work./);

  isLost = false;
  await user.click(await press("Close"));
  await user.click(await press("Mark 1 as shipped"));

  expect(await screen.findByText(/1 of 1 order done/)).toBeInTheDocument();
  expect(sent).toHaveLength(3);
  expect(new Set(keys(sent)).size).toBe(1);
});

test("a run can be stopped: the call that is under way is the last", async () => {
  const { move } = serveShop("processing", "processing", "processing");
  const gate = aGate();
  const sent = serve("post", SHIP, async (request) => {
    await gate.opened;
    return move(request);
  });
  const { user } = openOffice("/orders", OPERATOR);
  await user.click(await box("Select all shown"));
  await user.click(await press("Mark 3 as shipped"));
  expect(screen.getByText("Mark 3 as shipped: 0 of 3")).toBeInTheDocument();
  expect(screen.getByRole("progressbar")).toHaveAttribute("max", "3");
  expect(await press("Stop")).toHaveFocus();
  expect(await box("FC-2")).toBeDisabled();

  await user.click(await press("Stop"));
  expect(await press("Stopping…")).toBeInTheDocument();
  gate.open();

  const text = "Mark 3 as shipped: 1 of 3 orders done. 2 not tried.";
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(numbers(sent)).toEqual([1]);
  expect(await box("FC-2")).toBeChecked();
});

test("a limit of the server ends the run", async () => {
  serveShop("processing", "processing");
  const sent = serve("post", SHIP, () => refusal(429, "rate_limited", "Please wait a minute."));
  const { user } = openOffice("/orders", OPERATOR);
  await user.click(await box("Select all shown"));
  await user.click(await press("Mark 2 as shipped"));

  expect(await screen.findByText(/0 of 2 orders done. 1 did not work. 1 not tried./)).toBeVisible();
  expect(new Set(numbers(sent))).toEqual(new Set([1]));
});

test("the outcome stays when the list has become empty", async () => {
  const { orders, move } = serveShop("processing");
  serve("get", "/api/v1/admin/orders", () =>
    page(orders.filter(({ status }) => status === "processing")),
  );
  serve("post", SHIP, move);
  const { user } = openOffice("/orders?status=processing", OPERATOR);
  await user.click(await box("FC-1"));
  await user.click(await press("Mark 1 as shipped"));

  expect(await screen.findByText("No orders")).toBeInTheDocument();
  expect(await screen.findByText("Mark 1 as shipped: 1 of 1 order done.")).toBeInTheDocument();
});

test("without the right there is nothing to select", async () => {
  serveShop("processing");
  openOffice("/orders", anOperator({ rights: ["shop:read"] }));

  expect(await screen.findByText("FC-1")).toBeInTheDocument();
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("a keyboard selects and starts", async () => {
  const { move } = serveShop("processing");
  const sent = serve("post", SHIP, move);
  const { user } = openOffice("/orders", OPERATOR);

  (await box("FC-1")).focus();
  await user.keyboard(" ");
  (await press("Mark 1 as shipped")).focus();
  await user.keyboard("{Enter}");

  await waitFor(() => expect(sent).toHaveLength(1));
  expect(await screen.findByText(/1 of 1 order done/)).toHaveFocus();
});

test("mails that gave up are retried together", async () => {
  const aMail = (id: string, state: string) => ({
    ...{ id, state, to: `${id}@example.com`, subject: "Your receipt", kind: "receipt" },
    ...{ tries: 5, notBefore: null, error: "Mailbox full" },
  });
  serve("get", "/api/v1/admin/mails", () =>
    page([aMail("ada", "dead"), aMail("bello", "waiting"), aMail("chi", "dead")]),
  );
  const sent = serve("post", "/api/v1/admin/mails/:mail/retry", () => envelope(200, {}));
  const { user } = openOffice("/mails", anOperator({ rights: ["system:read", "system:write"] }));

  expect(await box("Your receipt, to ada@example.com")).toBeInTheDocument();
  await user.click(await box("Select all shown"));
  await user.click(await press("Retry 2 mails"));

  expect(await screen.findByText("Retry 2 mails: 2 of 2 mails done.")).toBeInTheDocument();
  expect(sent.map(({ url }) => url.pathname.split("/").at(-2))).toEqual(["ada", "chi"]);
});
