import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { envelope, refusal, serve, server } from "@/test/server";
import { anOperator, openOffice } from "~/test/render";

const IMPORTS = "/api/v1/admin/questions/imports";
const ID = "0199f2a4-0000-7000-8000-0000000000e1";
const MASTER = anOperator({ rights: ["games:read", "games:write"] });

function aReview(facts: object = {}) {
  return {
    id: ID,
    digest: "abc",
    rows: 2,
    new: 2,
    changed: 0,
    same: 0,
    bad: 0,
    problems: [],
    warnings: [],
    ...facts,
  };
}

let review = aReview();
let runs = 0;

beforeEach(() => {
  review = aReview();
  runs = 0;
  server.use(
    http.post(IMPORTS, () => {
      runs += 1;
      return envelope(201, review, "Looked at.");
    }),
  );
});

async function dryRun() {
  const opened = openOffice("/questions/import", MASTER);
  const file = new File(["slug,kind"], "bank.csv", { type: "text/csv" });
  await opened.user.upload(await screen.findByLabelText("CSV file"), file);
  await opened.user.click(screen.getByRole("button", { name: "Dry run" }));
  return { ...opened, result: await screen.findByRole("region", { name: "Dry run" }) };
}

test("a file with problems shows each, and cannot be applied", async () => {
  review = aReview({
    bad: 1,
    problems: [{ row: 3, column: "right", reason: "The column right is empty." }],
    warnings: [{ row: 4, column: null, reason: "Nearly said already." }],
  });
  const { result } = await dryRun();

  const problems = within(result).getByRole("region", { name: "Problems" });
  expect(within(problems).getByRole("row", { name: /3 right The column/ })).toBeInTheDocument();
  expect(within(result).getByRole("region", { name: "Warnings" })).toHaveTextContent("Nearly");
  expect(within(result).getByRole("button", { name: "Download the bad rows" })).toBeEnabled();
  expect(within(result).queryByRole("button", { name: "Apply" })).toBeNull();
});

test("a good file is applied as it was looked at", async () => {
  const sent = serve("post", `${IMPORTS}/${ID}/apply`, () =>
    envelope(200, { id: ID, new: 2, changed: 0, same: 0 }, "Imported."),
  );
  const { user, result } = await dryRun();

  await user.click(within(result).getByRole("button", { name: "Apply" }));

  expect(await screen.findByText("Imported: 2 new, 0 changed, 0 the same.")).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ digest: "abc" });
  expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
});

test("when the bank has moved on it says so, and the file is tried again", async () => {
  serve("post", `${IMPORTS}/${ID}/apply`, () => refusal(409, "stale", "The bank has changed."));
  const { user, result } = await dryRun();

  await user.click(within(result).getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("The bank has changed.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Apply" })).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "Dry run again" }));

  await waitFor(() => expect(runs).toBe(2));
  await waitFor(() => expect(screen.queryByText("The bank has changed.")).toBeNull());
  expect(screen.getByRole("button", { name: "Apply" })).toBeEnabled();
});
