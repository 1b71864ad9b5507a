import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import * as saving from "@/lib/device/save-as-file";
import { refusal, type SeenRequest, serve } from "@/test/server";
import { aListedOrder } from "~/test/orders";
import { anOperator, openOffice, page } from "~/test/render";

const OPERATOR = anOperator({ rights: ["shop:read"] });
const ORDERS = "/api/v1/admin/orders";

/** Orders by their numbers, served in pages as large as asked for. */
function serveOrders(numbers: readonly number[]): SeenRequest[] {
  return serve("get", ORDERS, ({ url }) => {
    const start = Number(url.searchParams.get("before") ?? 0);
    const end = start + Number(url.searchParams.get("limit"));
    const rows = numbers.slice(start, end).map((number) => aListedOrder(number));
    return page(rows, end < numbers.length ? String(end) : null);
  });
}

const count = (many: number) => Array.from({ length: many }, (_, index) => index + 1);

/** The numbers of the first orders of the table. */
function firstOrders(many: number): (string | null)[] {
  return screen
    .getAllByText(/^FC-/)
    .slice(0, many)
    .map(({ textContent }) => textContent);
}

/** The button in a column's header. By text: roles of large tables are slow to find. */
const sortButton = (name: string) => screen.findByText(name, { selector: "th button" });
const header = async (name: string) => (await sortButton(name)).closest("th");

test("a column's header sorts up, then down, then as the server has it", async () => {
  serveOrders([2, 10, 1]);
  const { user } = openOffice("/orders", OPERATOR);

  await user.click(await sortButton("Total"));

  expect(firstOrders(3)).toEqual(["FC-1", "FC-2", "FC-10"]);
  expect(await header("Total")).toHaveAttribute("aria-sort", "ascending");
  expect(await header("Order")).not.toHaveAttribute("aria-sort");

  (await sortButton("Total")).focus();
  await user.keyboard("{Enter}");

  expect(firstOrders(3)).toEqual(["FC-10", "FC-2", "FC-1"]);
  expect(await header("Total")).toHaveAttribute("aria-sort", "descending");

  await user.keyboard("{Enter}");

  expect(firstOrders(3)).toEqual(["FC-2", "FC-10", "FC-1"]);
  expect(await header("Total")).not.toHaveAttribute("aria-sort");
});

test("a sort is that of the whole list, in the largest pages, with the filters alone", async () => {
  const asked = serveOrders(count(120).reverse());
  const { user } = openOffice("/orders?status=processing", OPERATOR);

  await user.click(await sortButton("Total"));

  await waitFor(() => expect(firstOrders(3)).toEqual(["FC-1", "FC-2", "FC-3"]));
  expect(screen.getByText("120 orders")).toBeInTheDocument();
  expect(screen.queryByText(/^Sorted among/)).toBeNull();
  const whole = asked.filter(({ url }) => url.searchParams.get("limit") === "100");
  expect(whole).toHaveLength(2);
  for (const { url } of asked) {
    expect(url.searchParams.get("status")).toBe("processing");
    expect(url.searchParams.has("sort")).toBe(false);
    expect(url.searchParams.has("order")).toBe(false);
  }
});

test("the sort in the address is that of the list", async () => {
  serveOrders([2, 10, 1]);
  openOffice("/orders?sort=total&order=desc", OPERATOR);

  expect(await header("Total")).toHaveAttribute("aria-sort", "descending");
  expect(firstOrders(3)).toEqual(["FC-10", "FC-2", "FC-1"]);
});

test("an unknown column in the address leaves the list as it is", async () => {
  const asked = serveOrders(count(60));
  openOffice("/orders?sort=nothing&order=desc", OPERATOR);

  expect(await screen.findByText("The first 50 orders")).toBeInTheDocument();
  expect(firstOrders(2)).toEqual(["FC-1", "FC-2"]);
  expect(asked.every(({ url }) => url.searchParams.get("limit") === "50")).toBe(true);
});

test("a saved view has its sort", async () => {
  serveOrders([2, 10, 1]);
  const { user } = openOffice("/orders", OPERATOR);
  await user.click(await sortButton("Total"));
  await user.click(screen.getByRole("button", { name: "Save this view" }));
  await user.type(screen.getByLabelText("Name"), "Small ones");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.click(await sortButton("Total"));
  await user.click(await sortButton("Total"));
  expect(firstOrders(3)).toEqual(["FC-2", "FC-10", "FC-1"]);

  await user.click(screen.getByRole("link", { name: "Small ones" }));

  expect(firstOrders(3)).toEqual(["FC-1", "FC-2", "FC-10"]);
});

test("while all rows are loaded the list says so, and a failure can be tried again", async () => {
  let isDown = true;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  serve("get", ORDERS, async ({ url }) => {
    if (url.searchParams.get("limit") === "50") {
      return page([aListedOrder(2)], "2");
    }
    await released;
    return isDown
      ? refusal(404, "not_found", "The list is gone.")
      : page([aListedOrder(2), aListedOrder(1)]);
  });
  const { user } = openOffice("/orders", OPERATOR);
  await user.click(await sortButton("Total"));

  expect(await screen.findByText("Loading all rows…")).toBeInTheDocument();
  expect(screen.getByRole("table")).toHaveAttribute("aria-busy", "true");
  expect(firstOrders(1)).toEqual(["FC-2"]);

  release();
  expect(await screen.findByText("The list is gone.")).toBeInTheDocument();
  isDown = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));

  await waitFor(() => expect(firstOrders(2)).toEqual(["FC-1", "FC-2"]));
  expect(screen.getByRole("table")).not.toHaveAttribute("aria-busy");
});

test("of a list without an end the 2,000 newest rows are sorted, and it says so", async () => {
  const asked = serveOrders(count(2101));
  openOffice("/orders?sort=total&order=desc", OPERATOR);

  expect(await screen.findByText("Sorted among the 2,000 newest rows.")).toBeInTheDocument();
  expect(firstOrders(2)).toEqual(["FC-2000", "FC-1999"]);
  expect(screen.getByText("Total of the first 2,000")).toBeInTheDocument();
  expect(asked.filter(({ url }) => url.searchParams.get("limit") === "100")).toHaveLength(20);
  expect(screen.getAllByText(/^FC-/)).toHaveLength(200);
});

test("CSV follows the sort", async () => {
  const saveAsFile = vi.spyOn(saving, "saveAsFile").mockReturnValue();
  serveOrders([2, 10, 1]);
  const { user } = openOffice("/orders?sort=total&order=desc", OPERATOR);

  await user.click(await screen.findByRole("button", { name: "CSV of these rows" }));

  const text = await saveAsFile.mock.calls[0]?.[0].text();
  expect(text?.match(/FC-\d+/g)).toEqual(["FC-10", "FC-2", "FC-1"]);
});

test("where rows are cards, a select sorts them", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        matches: query.includes("max-width"),
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
  serveOrders([2, 10, 1]);
  const { user } = openOffice("/orders", OPERATOR);

  await user.selectOptions(await screen.findByLabelText("Sort by"), "Total, highest first");

  expect(firstOrders(3)).toEqual(["FC-10", "FC-2", "FC-1"]);
  expect(screen.getByText("Total", { selector: "th" })).toBeInTheDocument();

  await user.selectOptions(screen.getByLabelText("Sort by"), "The usual order");

  expect(firstOrders(3)).toEqual(["FC-2", "FC-10", "FC-1"]);
});

test("a column without an order, and the actions, have no button", async () => {
  serve("get", "/api/v1/admin/audit", () =>
    page([
      {
        ...{ id: "1", at: "2026-11-23T09:00:00Z", operator: null, right: "plans:write" },
        ...{ action: "change", targetType: "plan", targetId: "p", before: null, after: null },
        ...{ reason: "r", requestId: "r", subjects: [] },
      },
    ]),
  );
  openOffice("/logs");

  expect(await sortButton("At")).toBeInTheDocument();
  expect(screen.getByText("Before and after", { selector: "th" })).toBeInTheDocument();
});

test("columns that add up end with their sum, prices do not", async () => {
  const aProduct = (id: string, facts: object) => ({
    ...{ id, name: id, thumbnail: null, price: 1500, hidden: false, deletedAt: null },
    ...{ variants: [], allocated: 0, ...facts },
  });
  serve("get", "/api/v1/admin/products", () =>
    page([aProduct("Scarf", { stock: 900, available: 900 }), aProduct("Mug", { stock: 300 })]),
  );
  openOffice("/products", anOperator({ rights: ["shop:write"] }));

  const total = await screen.findByRole("row", { name: /^Total of 2 products/ });

  const cells = within(total).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual(["1,200", "0", "900", "", ""]);
  expect(within(total).getByRole("rowheader")).toHaveAttribute("colspan", "2");
});

test("kobo add up without a rest", async () => {
  serve("get", ORDERS, () =>
    page([aListedOrder(1, { total: 0.1 }), aListedOrder(2, { total: 0.2 })]),
  );
  openOffice("/orders", OPERATOR);

  const total = await screen.findByRole("row", { name: /^Total of 2 orders/ });

  expect(within(total).getByRole("cell")).toHaveTextContent("₦0.30");
});

test("a total says how many rows it is of, and can be that of all", async () => {
  serveOrders(count(60));
  const { user } = openOffice("/orders", OPERATOR);
  const first = await screen.findByRole("row", { name: /^Total of the first 50/ });
  expect(within(first).getByRole("cell")).toHaveTextContent("₦1,275.00");

  await user.click(within(first).getByRole("button", { name: "Load all" }));

  const all = await screen.findByRole("row", { name: /^Total of 60 orders/ });
  expect(within(all).getByRole("cell")).toHaveTextContent("₦1,830.00");
  expect(screen.queryByRole("button", { name: "Load all" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  expect(document.body).not.toHaveFocus();
});

test("one row has no total", async () => {
  serveOrders([1]);
  openOffice("/orders", OPERATOR);

  expect(await screen.findByText("1 order")).toBeInTheDocument();
  expect(screen.queryByText(/^Total of/)).toBeNull();
});
