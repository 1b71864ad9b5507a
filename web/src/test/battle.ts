import { act, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import type { BattleConfig, PlanState, Today } from "@/api/wire";
import {
  aPlan,
  aPlanState,
  inSeconds,
  theRanks,
  theSeason,
  theStatistics,
  theToday,
} from "@/test/factories";
import { type FakeSocket, sockets } from "@/test/fake-socket";
import { openAppAsMember } from "@/test/render";
import { envelope, serve } from "@/test/server";

/** The server's state of the zone; a test changes it before it opens the screen. */
export interface Zone {
  season: BattleConfig | null;
  plan: PlanState;
}

/** Handle the Battle Zone's HTTP calls: an open season, and a plan that includes it. */
export function serveTheZone(): Zone {
  sockets.length = 0;
  const zone: Zone = { season: theSeason(), plan: aPlanState() };
  serve("get", "/api/v1/users/plan/validate/:id", () => envelope(200, zone.plan));
  serve("get", "/api/v1/battle-ground-config", () => envelope(200, zone.season));
  serve("get", "/api/v1/battlezone-rank-config", () => envelope(200, theRanks));
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics()));
  serve("get", "/api/v1/today", () => envelope(200, dayIn(zone)));
  serve("get", "/api/v1/subscription", () =>
    envelope(200, [aPlan({ id: "terrace", battleZone: false }), aPlan()]),
  );
  return zone;
}

/** The day on Home, in the zone's season. */
function dayIn({ season }: Zone): Today {
  const { state, left, of } = season?.today ?? { state: "empty" as const, left: 0, of: 0 };
  return theToday({
    doors: [{ kind: "battle", state, left, of }],
    action: { kind: "done", path: "/leaderboard", until: null },
    celebrate: [{ id: "promotion-1", kind: "promotion", key: "super-fan" }],
  });
}

/** A `new_question`, as the server sends it. */
export function question(id = "q1", change: Record<string, unknown> = {}) {
  return {
    question: {
      id,
      question: `Who won ${id}?`,
      options: JSON.stringify({ A: "Ajax", B: "Bayern", C: "Chelsea", D: "Dortmund" }),
    },
    timeLimit: 15,
    remainingTime: 15,
    deadlineAt: inSeconds(15),
    serverNow: inSeconds(0),
    number: 2,
    total: 5,
    rank: "rookie",
    resumed: false,
    ...change,
  };
}

/** An `answer_result`, as the server sends it. */
export function result(questionId = "q1", change: Record<string, unknown> = {}) {
  return {
    questionId,
    isCorrect: true,
    pointAwarded: 10,
    timedOut: false,
    answer: "A",
    rightAnswer: "A",
    explanation: "Ajax won in Vienna.",
    points: 40,
    battlePoints: 40,
    badge: "rookie",
    promotedTo: null,
    nextRank: "super-fan",
    pointsToNext: 10,
    number: 2,
    total: 5,
    ...change,
  };
}

/** The current connection. */
export async function line(): Promise<FakeSocket> {
  await waitFor(() => expect(sockets.some(({ closed }) => !closed)).toBe(true));
  return sockets.findLast(({ closed }) => !closed) as FakeSocket;
}

/** Open the connection. */
export async function connect(socket: FakeSocket) {
  await act(async () => socket.emitToClient("connect"));
}

/** Fire an event. */
export async function receive(socket: FakeSocket, event: string, content: unknown) {
  await act(async () => socket.emitToClient(event, content));
}

/** Enter and get the first question. */
export async function play() {
  const app = openAppAsMember("/battle-zone");
  await app.user.click(await screen.findByRole("button", { name: "Enter Battle Ground" }));
  const socket = await line();
  await connect(socket);
  await receive(socket, "new_question", question());
  await act(async () => socket.of("enter_battle_zone")[0]?.acknowledge({ state: "question" }));
  return { ...app, socket };
}
