import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { planQuery, statisticsQuery } from "@/api/member";
import { profileQuery } from "@/api/profile";
import { keys, type RegisteredKey } from "@/api/query-keys";
import { fill, follow } from "@/app/last-data/keeper";
import { read, SHAPE } from "@/app/last-data/kept";
import { createQueryClient } from "@/app/query-client";
import { boardQuery } from "@/features/ranking/api";
import { devicesQuery } from "@/features/settings/api";
import { ordersQuery } from "@/features/shop/api";
import { balanceQuery, statementQuery } from "@/features/wallet/api";

const NOW = Date.parse("2026-11-22T13:05:00Z");
const ADA = "member-1";
const BOARD = boardQuery(ADA, { scope: "club", period: "season", page: 1 }).queryKey;

const statistics = { ranking: { points: 7, badge: "fan" }, leaderboard: [{ rank: 1 }], me: {} };
const plan = { isBattleZonePlan: false, subscriptionId: null };
const board = { total: 1, rows: [{ rank: 1 }] };

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(NOW);
});
afterEach(() => vi.useRealTimers());

/** The wallet's balance in naira. */
const holding = (balance: number) => ({ balance, debt: 0 });

/** The rows to store when these answers come. */
async function keptOf(answers: [RegisteredKey, unknown][]) {
  const client = createQueryClient();
  const rows = vi.fn();
  const stop = follow(client, ADA, rows);
  for (const [queryKey, data] of answers) {
    client.setQueryData(queryKey, data);
  }
  await vi.advanceTimersByTimeAsync(2000);
  stop();
  client.clear();
  return rows.mock.calls.flatMap(([found]) => found as { key: string; text: string }[]);
}

test("Home's figures, boards, messages and what was read of the news are kept, with the time they came at", async () => {
  const rows = await keptOf([
    [statisticsQuery(ADA).queryKey, statistics],
    [balanceQuery(ADA).queryKey, holding(25_000)],
    [BOARD, board],
    [keys.lastMessages(ADA, "Public"), [{ id: "1" }]],
    [keys.news({ id: ADA, club: "club-1" }), [{ slug: "derby" }]],
    [keys.article({ id: ADA, club: "club-1" }, "derby"), { html: "<p>Gates</p>" }],
    [keys.article({ id: ADA, club: "club-1" }, "gone"), null],
  ]);

  expect(rows).toHaveLength(6);
  expect(read(rows[1]?.text, ADA)).toEqual({
    queryKey: balanceQuery(ADA).queryKey,
    data: holding(25_000),
    updatedAt: NOW,
  });
});

test("the profile, the plan, the statement, sessions, orders and anybody else's are never kept", async () => {
  const rows = await keptOf([
    [profileQuery(ADA).queryKey, { email: "ada@example.com" }],
    [
      statementQuery(ADA, { from: "", to: "", kind: "" }).queryKey,
      { pages: [[{ id: "1" }]], pageParams: [""] },
    ],
    [devicesQuery(ADA).queryKey, [{ id: "1" }]],
    [ordersQuery(ADA).queryKey, [{ id: "1" }]],
    [planQuery(ADA).queryKey, plan],
    [balanceQuery("member-2").queryKey, holding(25_000)],
  ]);

  expect(rows).toEqual([]);
});

test("an answer is kept once for a swarm, as the last one said, and not after the end", async () => {
  const client = createQueryClient();
  const write = vi.fn();
  const stop = follow(client, ADA, write);
  const { queryKey } = balanceQuery(ADA);
  client.setQueryData(queryKey, holding(1));
  client.setQueryData(queryKey, holding(2));
  await vi.advanceTimersByTimeAsync(1500);
  expect(write).toHaveBeenCalledOnce();
  expect(read(write.mock.calls[0]?.[0][0].text, ADA)?.data).toEqual(holding(2));

  client.setQueryData(queryKey, holding(3));
  stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(write).toHaveBeenCalledOnce();
  client.clear();
});

test("what was kept comes back with its own time, and is asked for anew", async () => {
  const client = createQueryClient();
  const { queryKey } = balanceQuery(ADA);
  const updatedAt = NOW - 5000; // fresh by its age, but still only the last data
  fill(client, ADA, [{ queryKey, data: holding(25_000), updatedAt }]);
  expect(client.getQueryState(queryKey)).toMatchObject({
    data: holding(25_000),
    dataUpdatedAt: updatedAt,
  });

  const queryFn = vi.fn(async () => holding(30_000));
  const observer = new QueryObserver(client, { ...balanceQuery(ADA), queryFn });
  const stop = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);

  expect(queryFn).toHaveBeenCalledOnce();
  expect(client.getQueryData(queryKey)).toEqual(holding(30_000));
  stop();
  client.clear();
});

test("an empty list comes back without a network only", () => {
  const queryKey = keys.notifications(ADA);
  const empty = { pages: [{ rows: [], next: null }], pageParams: [""] };
  const full = { pages: [{ rows: [{ id: "1" }], next: null }], pageParams: [""] };
  const restored = (data: object) => {
    const client = createQueryClient();
    fill(client, ADA, [{ queryKey, data, updatedAt: NOW - 60_000 }]);
    const found = client.getQueryData(queryKey);
    client.clear();
    return found;
  };

  expect(restored(empty)).toBeUndefined();
  expect(restored(full)).toEqual(full);
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  expect(restored(empty)).toEqual(empty);
});

test("a call that is on its way is sent once, and its answer is not overwritten", async () => {
  const client = createQueryClient();
  const { queryKey } = balanceQuery(ADA);
  let answer: (wallet: ReturnType<typeof holding>) => void = () => undefined;
  const queryFn = vi.fn(
    () =>
      new Promise<ReturnType<typeof holding>>((resolve) => {
        answer = resolve;
      }),
  );
  const observer = new QueryObserver(client, { ...balanceQuery(ADA), queryFn });
  const stop = observer.subscribe(() => undefined);

  fill(client, ADA, [{ queryKey, data: holding(1), updatedAt: NOW - 60_000 }]);
  expect(observer.getCurrentResult().data).toEqual(holding(1));
  answer(holding(2));
  await vi.advanceTimersByTimeAsync(10);
  fill(client, ADA, [{ queryKey, data: holding(1), updatedAt: NOW - 60_000 }]);

  expect(queryFn).toHaveBeenCalledOnce();
  expect(client.getQueryData(queryKey)).toEqual(holding(2));
  stop();
  client.clear();
});

/** An answer's text, whether it would be stored or not. */
const stored = (answer: object) => JSON.stringify({ shape: SHAPE, ...answer });

const balance = { queryKey: balanceQuery(ADA).queryKey, data: holding(5), updatedAt: NOW };

test.each([
  ["text that breaks off", stored(balance).slice(0, -4)],
  ["nothing", undefined],
  ["another shape", stored(balance).replace(`"shape":${SHAPE}`, `"shape":${SHAPE + 1}`)],
  ["an answer that cannot be drawn", stored({ ...balance, data: { naira: 5 } })],
  [
    "rows that are none",
    stored({ queryKey: BOARD, data: { total: 1, rows: [null] }, updatedAt: 1 }),
  ],
  ["a query that is not kept any more", stored({ ...balance, queryKey: keys.banks })],
  ["another member's", stored({ ...balance, queryKey: balanceQuery("member-2").queryKey })],
  ["a time to come", stored({ ...balance, updatedAt: NOW + 60_000 })],
])("%s is ignored", (_, text) => {
  expect(read(text, ADA)).toBeNull();
});
