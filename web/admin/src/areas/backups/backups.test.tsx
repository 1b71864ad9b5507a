import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const HOUR_MS = 60 * 60 * 1000;
const keeper = anOperator({ rights: ["system:read"] });

function aBackup(hoursAgo: number, facts: object = {}) {
  return {
    id: String(1000 - hoursAgo),
    at: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
    name: `fans-${hoursAgo}`,
    size: 3_145_728,
    age: hoursAgo * 3600,
    seconds: 2.4,
    proven: true,
    error: null,
    ...facts,
  };
}

async function lastGood(backups: object[]) {
  serve("get", "/api/v1/admin/backups", () => page(backups));
  openOffice("/backups", keeper);
  return screen.findByText(/Last good backup/);
}

test("a backup of last night is well", async () => {
  const line = await lastGood([aBackup(25)]);

  expect(line.querySelector(".badge-success")).not.toBeNull();
  expect(screen.getByText("Test restore passed")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Back up now" })).toBeNull();
});

test("one that failed does not count: the last good one is too old, and red", async () => {
  const line = await lastGood([aBackup(2, { proven: false, error: "No room left" }), aBackup(27)]);

  expect(line).toHaveTextContent("more than 26 hours ago");
  expect(line.querySelector(".badge-error")).not.toBeNull();
  const failed = screen.getByRole("row", { name: /fans-2 / });
  expect(within(failed).getByText("No room left")).toBeInTheDocument();
});

test("without any it is red, too", async () => {
  const line = await lastGood([]);

  expect(within(line).getByText("Never").closest(".badge-error")).not.toBeNull();
});
