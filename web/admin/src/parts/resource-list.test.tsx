import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import * as saving from "@/lib/device/save-as-file";
import { refusal, serve } from "@/test/server";
import { anOperator, aPlan, openOffice, page } from "~/test/render";

const anEntry = (id: string, reason: string) => ({
  id,
  at: "2026-11-23T09:00:00Z",
  operator: { id: "o", name: "Ops Desk" },
  right: "plans:write",
  action: "change",
  targetType: "plan",
  targetId: "p",
  before: null,
  after: null,
  reason,
  requestId: "r",
  subjects: [],
});

test("rows come page after page", async () => {
  const asked = serve("get", "/api/v1/admin/audit", ({ url }) =>
    url.searchParams.get("before") === "b1"
      ? page([anEntry("2", "second")])
      : page([anEntry("1", "first")], "b1"),
  );
  const { user } = openOffice("/logs");

  await user.click(await screen.findByRole("button", { name: "Show more" }));

  expect(await screen.findByText("second")).toBeInTheDocument();
  expect(screen.getByText("first")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  expect(asked.at(-1)?.url.searchParams.get("limit")).toBe("50");
});

test("filters stand in the address, and are asked with", async () => {
  const asked = serve("get", "/api/v1/admin/audit", () => page([]));
  const { user } = openOffice("/logs?right=plans%3Awrite");

  expect(await screen.findByText("No entries")).toBeInTheDocument();
  expect(asked.at(-1)?.url.searchParams.get("right")).toBe("plans:write");

  await user.type(screen.getByLabelText("Search"), "Terrace{Enter}");

  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get("q")).toBe("Terrace"));
  expect(asked.at(-1)?.url.searchParams.get("right")).toBe("plans:write");

  await user.click(screen.getByRole("button", { name: "Show all" }));

  await waitFor(() => expect(asked.at(-1)?.url.searchParams.has("q")).toBe(false));
});

test("a day is asked with when it is there, not while it is typed", async () => {
  const asked = serve("get", "/api/v1/admin/audit", () => page([anEntry("1", "first")]));
  const { user } = openOffice("/logs");
  await screen.findByText("first");
  const before = asked.length;

  await user.type(screen.getByLabelText("From"), "2026-11-20");
  expect(asked).toHaveLength(before);
  await user.click(screen.getByRole("button", { name: "Search" }));

  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get("from")).toBe("2026-11-20"));
});

test("an empty list has no filters, unless one of them made it empty", async () => {
  serve("get", "/api/v1/admin/approvals", () => page([]));
  const { user } = openOffice("/approvals?state=refused");

  expect(await screen.findByText("No approvals waiting")).toBeInTheDocument();
  expect(screen.getByText("Nothing matches these filters.")).toBeInTheDocument();
  expect(screen.getByLabelText("State")).toHaveValue("refused");
  expect(screen.queryByRole("button", { name: "Search" })).toBeNull(); // a choice applies by itself
  await user.click(screen.getByRole("button", { name: "Show all" }));

  expect(await screen.findByText("No approvals waiting")).toBeInTheDocument();
  expect(screen.queryByText("Nothing matches these filters.")).toBeNull();
  await waitFor(() => expect(screen.queryByRole("form", { name: "Filters" })).toBeNull());
});

test("a view is kept under a name, opened and removed", async () => {
  serve("get", "/api/v1/admin/audit", () => page([]));
  const { user } = openOffice("/logs?right=plans%3Awrite");

  await user.click(await screen.findByRole("button", { name: "Save this view" }));
  await user.type(screen.getByLabelText("Name"), "Plans");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.click(screen.getByRole("button", { name: "Show all" }));
  const views = await screen.findByRole("navigation", { name: "Saved views" });
  await user.click(within(views).getByRole("link", { name: "Plans" }));

  expect(screen.getByLabelText("Permission")).toHaveValue("plans:write");

  await user.click(screen.getByRole("button", { name: "Remove the view Plans" }));

  expect(within(views).queryByRole("link", { name: "Plans" })).toBeNull();
});

test("a view is its operator's alone: it may say whom they looked for", async () => {
  serve("get", "/api/v1/admin/audit", () => page([]));
  const { user, unmount } = openOffice("/logs?q=ada%40example.com");
  await user.click(await screen.findByRole("button", { name: "Save this view" }));
  await user.type(screen.getByLabelText("Name"), "Ada's");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("link", { name: "Ada's" })).toBeInTheDocument();
  unmount();

  openOffice("/logs", anOperator({ id: "0199f2a4-0000-7000-8000-0000000000ff" }));

  expect(await screen.findByText("No entries")).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Ada's" })).toBeNull();
});

test("the rows in sight are kept as CSV, with nothing that a spreadsheet would run", async () => {
  const saveAsFile = vi.spyOn(saving, "saveAsFile").mockReturnValue();
  serve("get", "/api/v1/admin/audit", () => page([anEntry("1", '=HYPERLINK("http://x")')]));
  const { user } = openOffice("/logs");

  await user.click(await screen.findByRole("button", { name: "Export CSV" }));

  const [file, name] = saveAsFile.mock.calls[0] ?? [];
  const text = await file?.text();
  expect(name).toMatch(/^audit-\d{4}-\d{2}-\d{2}\.csv$/);
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
});

test("what did not load can be asked for again", async () => {
  let isDown = true;
  serve("get", "/api/v1/admin/plans", () =>
    isDown ? refusal(500, "internal", "Something went wrong.") : page([aPlan()]),
  );
  const { user } = openOffice("/plans");
  const again = await screen.findByRole("button", { name: "Try again" });
  isDown = false;

  await user.click(again);

  expect(await screen.findByText("Terrace")).toBeInTheDocument();
});

test("what may not be done has no button", async () => {
  serve("get", "/api/v1/admin/fundings", () => page([]));
  openOffice("/money/", anOperator({ rights: ["money:read"] }));

  expect(await screen.findByText("No fundings")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Record a chargeback" })).toBeNull();
});
