import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keys, type RegisteredKey } from "@/api/query-keys";
import { read, written } from "@/app/last-data/kept";
import { aMatch } from "@/test/matches";

const ADA = "member-1";
const PLAYER = { id: ADA, club: "club-1" };
const NOW = Date.parse("2026-11-22T13:05:00Z");
const MAX_LENGTH = 64_000;
const FIRST_PAGE = { scope: "club", period: "season", page: 1 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(NOW);
});
afterEach(() => vi.useRealTimers());

function keptAs(queryKey: RegisteredKey, data: unknown) {
  const text = written({ queryKey, data, updatedAt: NOW }, ADA);
  expect(text?.length ?? 0).toBeLessThanOrEqual(MAX_LENGTH);
  return read(text, ADA)?.data;
}

const match = aMatch(1);
const pages = { pages: [[{ id: "1" }]], pageParams: [""] };

test.each<[string, RegisteredKey, unknown]>([
  ["today", keys.today(PLAYER), { action: {}, me: {}, doors: [{ id: "quest" }] }],
  [
    "statistics",
    keys.statistics(ADA),
    { ranking: { points: 7, badge: "fan" }, leaderboard: [{ rank: 1 }] },
  ],
  ["the balance", keys.balance(ADA), { balance: 25_000, debt: 0 }],
  ["fixtures", keys.matches(PLAYER, "club", "fixtures"), { pages: [[match]], pageParams: [0] }],
  ["a fixture", keys.match(ADA, match.id), match],
  ["all dates", keys.calendar(PLAYER), [{ id: "1" }]],
  ["the table", keys.leagueTable(ADA, "npfl"), [{ position: 1 }]],
  ["own predictions that are open", keys.predictions(ADA, "open"), [{ fixture: match }]],
  ["own predictions that are closed", keys.predictions(ADA, "closed"), pages],
  ["the news", keys.news(PLAYER), [{ slug: "derby" }]],
  ["a read article", keys.article(PLAYER, "derby"), { html: "<p>Gates</p>" }],
  ["a board", keys.board(ADA, FIRST_PAGE), { total: 1, rows: [{ rank: 1 }] }],
  ["the predictors' board", keys.predictionBoard(ADA, FIRST_PAGE), { rows: [{ rank: 1 }] }],
  ["notifications", keys.notifications(ADA), pages],
  ["the newest messages", keys.lastMessages(ADA, "Public"), [{ id: "1" }]],
])("%s is kept", (_, queryKey, data) => {
  expect(keptAs(queryKey, data)).toEqual(data);
});

test.each<[string, RegisteredKey, unknown]>([
  ["the profile", keys.profile(ADA), { email: "ada@example.com" }],
  ["the statement", keys.statement(ADA, {}), pages],
  ["the statement's months", keys.months(ADA), [{ month: "2026-11" }]],
  ["sessions", keys.devices(ADA), [{ id: "1" }]],
  ["orders", keys.orders(ADA), [{ id: "1" }]],
  ["the plan", keys.plan(ADA), { subscriptionId: null }],
  ["what is mailed", keys.notificationSettings(ADA), { mail: {}, push: {} }],
  ["this browser's push", keys.pushOffer(ADA), { publicKey: "key", state: "on" }],
  ["another member's notifications", keys.notifications("member-2"), pages],
])("%s is never kept", (_, queryKey, data) => {
  expect(written({ queryKey, data, updatedAt: NOW }, ADA)).toBeNull();
});

test("of messages that are too long together the newest are kept", () => {
  const messages = Array.from({ length: 50 }, (_, index) => ({
    id: String(index),
    text: "₦".repeat(2000),
  }));

  const kept = keptAs(keys.lastMessages(ADA, "Public"), messages) as typeof messages;

  expect(kept.length).toBeGreaterThan(30);
  expect(kept).toEqual(messages.slice(-kept.length));
});

test("of many pages of notifications the first, newest ones are kept, with what they were asked by", () => {
  const page = (number: number) =>
    Array.from({ length: 20 }, (_, index) => ({ id: `${number}-${index}`, body: "x".repeat(500) }));
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  const answer = { pages: numbers.map(page), pageParams: numbers.map(String) };

  const kept = keptAs(keys.notifications(ADA), answer) as typeof answer;

  expect(kept.pages.length).toBeGreaterThan(4);
  expect(kept.pages).toEqual(answer.pages.slice(0, kept.pages.length));
  expect(kept.pageParams).toEqual(answer.pageParams.slice(0, kept.pages.length));
});

test("of too many pages of matches the nearest are kept", () => {
  const page = (number: number) =>
    Array.from({ length: 20 }, (_, index) => ({ ...match, id: `${number}-${index}` }));
  const numbers = Array.from({ length: 17 }, (_, index) => index);
  const matches = { pages: numbers.map(page), pageParams: numbers };

  const kept = keptAs(keys.matches(PLAYER, "all", "results"), matches) as typeof matches;

  expect(kept.pages.length).toBeGreaterThan(3);
  expect(kept.pages.length).toBeLessThan(17);
  expect(kept.pages).toEqual(matches.pages.slice(0, kept.pages.length));
  expect(kept.pageParams).toEqual(numbers.slice(0, kept.pages.length));
});

test("an answer that is too long and has no oldest part is not kept", () => {
  const queryKey = keys.article(PLAYER, "derby");

  expect(written({ queryKey, data: { html: "x".repeat(70_000) }, updatedAt: NOW }, ADA)).toBeNull();
});
