import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { announceNewVersion } from "@/lib/device/new-version";
import { openAppAsMember } from "@/test/render";

// For this file only: the announcement is made once per page.
vi.mock("@/lib/device/new-version", (actual) => actual());

test("a newer version is told by a bar that stays, on whatever screen is open", async () => {
  const { user } = openAppAsMember("/backups");
  const menu = await screen.findByRole("navigation", { name: "Shortcuts" });
  expect(screen.queryByRole("button", { name: "Update" })).toBeNull();

  act(announceNewVersion);
  expect(await screen.findByText("A new version is ready.")).toBeVisible();
  await user.click(menu.querySelector("a[href='/']") as HTMLElement);

  await waitFor(() => expect(screen.getByRole("button", { name: "Update" })).toBeVisible());
});
