import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { InstallCard } from "@/features/home/install-card";
import { AppPanel } from "@/features/settings/app-panel";
import { followInstallability } from "@/lib/device/install";
import { clearMemberData } from "@/lib/device/storage";
import { dayOf } from "@/lib/format/dates";
import { isSecondDay, recordUse } from "@/lib/session/first-use";

const DAY_MS = 24 * 3_600_000;

followInstallability();

function offer() {
  const prompt = vi.fn(async () => undefined);
  const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt });
  act(() => void window.dispatchEvent(event));
  return { event, prompt };
}

function firstUsed(daysAgo: number): void {
  localStorage.setItem("first-use", JSON.stringify(dayOf(Date.now() - daysAgo * DAY_MS)));
}

beforeEach(() => act(() => void window.dispatchEvent(new Event("appinstalled"))));

test("from the second day on Home offers the app, once the browser can install it", async () => {
  firstUsed(1);
  render(<InstallCard />);
  expect(screen.queryByRole("button", { name: "Install the app" })).toBeNull();

  const { event, prompt } = offer();
  await userEvent.click(screen.getByRole("button", { name: "Install the app" }));

  expect(event.defaultPrevented).toBe(true);
  expect(prompt).toHaveBeenCalledOnce();
  expect(screen.queryByRole("button", { name: "Install the app" })).toBeNull();
});

test("on the first day Home offers nothing, but Settings do", () => {
  firstUsed(0);
  render(
    <>
      <InstallCard />
      <AppPanel />
    </>,
  );
  offer();

  expect(screen.getAllByRole("button", { name: "Install the app" })).toHaveLength(1);
});

test("the second day begins at midnight in Lagos", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime("2026-11-22T22:30:00Z"); // 11:30 pm there
  recordUse();
  expect(isSecondDay()).toBe(false);

  vi.setSystemTime("2026-11-22T22:59:59Z");
  expect(isSecondDay()).toBe(false);
  vi.setSystemTime("2026-11-22T23:00:00Z");

  expect(isSecondDay()).toBe(true);
});

test("a card that was sent away rests for thirty days, whoever signs in meanwhile", async () => {
  firstUsed(3);
  const first = render(<InstallCard />);
  offer();
  await userEvent.click(screen.getByRole("button", { name: "Not now" }));
  expect(screen.queryByRole("button", { name: "Install the app" })).toBeNull();
  first.unmount();
  clearMemberData();

  const later = Date.now() + 29 * DAY_MS;
  vi.spyOn(Date, "now").mockReturnValue(later);
  const second = render(<InstallCard />);
  expect(screen.queryByRole("button", { name: "Install the app" })).toBeNull();
  second.unmount();

  vi.spyOn(Date, "now").mockReturnValue(later + 2 * DAY_MS);
  render(<InstallCard />);
  expect(screen.getByRole("button", { name: "Install the app" })).toBeInTheDocument();
});
