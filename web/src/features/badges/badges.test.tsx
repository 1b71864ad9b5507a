import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { MemberBadge, Streak } from "@/api/wire";
import { theToday } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const badges: MemberBadge[] = [
  {
    key: "first-quest",
    name: "First Quest",
    how: "Complete your first Daily Quest",
    earnedAt: "2026-11-21T03:41:00Z",
    progress: null,
  },
  {
    key: "streak-7",
    name: "One Week",
    how: "Keep a streak of 7 days",
    earnedAt: null,
    progress: { now: 3, of: 7 },
  },
  {
    key: "super-fan",
    name: "Super Fan",
    how: "Reach the rank Super Fan",
    earnedAt: null,
    progress: { now: 20, of: 50 },
  },
];

let streak: Streak = theToday().me.streak;

beforeEach(() => {
  streak = theToday().me.streak;
  serve("get", "/api/v1/badges/:id", () => envelope(200, badges));
  serve("get", "/api/v1/today", () => {
    const today = theToday();
    return envelope(200, { ...today, me: { ...today.me, streak } });
  });
});

test("every badge says when it was earned, or how and how far", async () => {
  openAppAsMember("/badges");

  const all = await screen.findByRole("region", { name: "1 of 3 badges" });
  expect(
    within(all)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual([
    "First QuestComplete your first Daily QuestEarned on 21 November 2026, 4:41 am",
    "One WeekKeep a streak of 7 days3 of 7",
    "Super FanReach the rank Super Fan20 of 50 battle points to Super Fan",
  ]);
  expect(within(all).getByRole("progressbar", { name: "One Week" })).toHaveAttribute("value", "3");
});

test.each<[string, Partial<Streak>, string[]]>([
  ["runs", { days: 1 }, ["1 day in a row", "Best: 5 days · 1 freeze left this week"]],
  ["counts today", { doneToday: true }, ["3 days in a row", "You're safe for today."]],
  [
    "was bridged",
    { frozenOn: ["2026-11-24"], freezesLeft: 0 },
    ["Freeze used on Tuesday", "Best: 5 days · 0 freezes left this week"],
  ],
  ["has ended", { days: 0, ended: 12 }, ["0 days in a row", "Your streak ended at 12 days"]],
])("the streak that %s is told", async (_, change, lines) => {
  streak = { ...streak, ...change };
  openAppAsMember("/badges");

  const card = await screen.findByRole("region", { name: "Streak" });
  await within(card).findByText(/in a row/);
  for (const line of lines) {
    expect(card).toHaveTextContent(line);
  }
});

test("badges that do not come can be asked for again", async () => {
  serve("get", "/api/v1/badges/:id", () => refusal(503, "unavailable", "Too busy."));
  const { user } = openAppAsMember("/badges");
  expect(await screen.findByRole("alert")).toHaveTextContent("Too busy.");

  serve("get", "/api/v1/badges/:id", () => envelope(200, badges));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("One Week")).toBeInTheDocument();
});
