import { expect, test } from "vitest";
import {
  type BattleAction,
  type BattleState,
  battleReducer,
  beforeMatch,
} from "@/features/battle/battle-machine";
import type { BattleResult, Served } from "@/features/battle/events";

const NOW = Date.parse("2026-11-21T12:00:00Z");

function served(id = "q1", endsInSeconds = 15): Served {
  return {
    question: { id, question: "Who?", options: [{ key: "A", text: "Ajax" }] },
    limitSeconds: 15,
    endsAtMs: NOW + endsInSeconds * 1000,
    number: 1,
    total: 5,
    rank: "rookie",
  };
}

function result(questionId = "q1", change: Partial<BattleResult> = {}): BattleResult {
  return {
    questionId,
    isCorrect: true,
    pointAwarded: 10,
    timedOut: false,
    answer: "A",
    rightAnswer: "A",
    explanation: "",
    points: 10,
    battlePoints: 10,
    badge: "rookie",
    promotedTo: null,
    nextRank: "super-fan",
    pointsToNext: 40,
    number: 1,
    total: 5,
    ...change,
  };
}

const serve = (question = served()): BattleAction => ({
  type: "served",
  served: question,
  nowMs: NOW,
});

function after(...actions: BattleAction[]): BattleState {
  return actions.reduce(battleReducer, beforeMatch);
}

const started: BattleAction[] = [
  { type: "enter" },
  { type: "opening" },
  { type: "connected" },
  serve(),
  { type: "joined", found: "question" },
];

test("entering connects, and the question that comes is shown", () => {
  expect(after({ type: "enter" }).face.kind).toBe("connecting");
  expect(after(...started)).toMatchObject({ link: "open", face: { kind: "question" } });
});

test("a chosen answer is due at once and locked against a second choice", () => {
  const state = after(...started, { type: "chose", answer: "A" }, { type: "chose", answer: "B" });

  expect(state.face).toMatchObject({ kind: "sent", answer: "A", delivery: "due" });
});

test("an answer that was handed over is not due again", () => {
  const state = after(
    ...started,
    { type: "chose", answer: "A" },
    { type: "handed-over", questionId: "q1" },
    serve(served("q1", 9)),
  );

  expect(state.face).toMatchObject({ kind: "sent", delivery: "gone" });
});

test("an answer pressed without a connection waits, and is due when the question still runs", () => {
  const dropped = after(...started, { type: "opening" }, { type: "chose", answer: "A" });
  expect(dropped.face).toMatchObject({ kind: "sent", delivery: "held" });

  const joining = battleReducer(dropped, { type: "connected" });
  expect(joining.face).toMatchObject({ delivery: "held" });

  const again = battleReducer(joining, serve(served("q1", 6)));
  expect(again.face).toMatchObject({ kind: "sent", answer: "A", delivery: "due" });
});

test("an answer that may be lost on the way is due again only when the server still asks", () => {
  const lost = after(
    ...started,
    { type: "chose", answer: "A" },
    { type: "handed-over", questionId: "q1" },
    { type: "opening" },
    { type: "connected" },
  );

  expect(battleReducer(lost, serve(served("q1", 6))).face).toMatchObject({ delivery: "due" });
  expect(battleReducer(lost, { type: "result", result: result() }).face.kind).toBe("result");
});

test("the time's end locks the question with an empty answer, once", () => {
  const up: BattleAction = { type: "time-up", questionId: "q1" };

  expect(after(...started, up).face).toMatchObject({ kind: "sent", answer: "" });
  expect(after(...started, { type: "chose", answer: "B" }, up).face).toMatchObject({ answer: "B" });
  expect(after(...started, { type: "time-up", questionId: "old" }).face.kind).toBe("question");
});

test("a question timed out here too early opens again when the server still runs it", () => {
  const state = after(
    ...started,
    { type: "opening" },
    { type: "time-up", questionId: "q1" },
    { type: "connected" },
    serve(served("q1", 5)),
  );

  expect(state.face.kind).toBe("question");
});

test("a result counts for its own question and is not replaced by a repeated one", () => {
  const other = after(...started, { type: "result", result: result("q0") });
  expect(other.face.kind).toBe("question");

  const answered = after(...started, { type: "result", result: result("q1", { points: 10 }) });
  const repeated = battleReducer(answered, {
    type: "result",
    result: result("q1", { points: 99 }),
  });
  expect(repeated.face).toEqual(answered.face);
  expect(battleReducer(answered, serve()).face.kind).toBe("result");
});

test("after a reload the last result is shown even though its question is gone", () => {
  const state = after(
    { type: "enter" },
    { type: "connected" },
    { type: "result", result: result() },
  );

  expect(state.face).toMatchObject({ kind: "result", served: null });
});

test("continue waits for the next question", () => {
  const answered = after(...started, { type: "result", result: result() }, { type: "continue" });

  expect(answered.face.kind).toBe("connecting");
  expect(battleReducer(answered, serve(served("q2"))).face).toMatchObject({
    kind: "question",
    served: { question: { id: "q2" } },
  });
});

test("a tick moves the end only when the two clocks disagree by more than a second", () => {
  const tick = (endsInSeconds: number, questionId = ""): BattleAction => ({
    type: "tick",
    questionId,
    endsAtMs: NOW + endsInSeconds * 1000,
  });
  const endOf = (state: BattleState) =>
    state.face.kind === "question" ? (state.face.served.endsAtMs - NOW) / 1000 : null;

  expect(endOf(after(...started, tick(14)))).toBe(15);
  expect(endOf(after(...started, tick(12)))).toBe(12);
  expect(endOf(after(...started, tick(12, "q9")))).toBe(15);
  expect(after(tick(3)).face.kind).toBe("idle");
});

test("three failed tries strand who was entering, and leave a running question in sight", () => {
  expect(after({ type: "enter" }, { type: "opening" }, { type: "gave-up" })).toMatchObject({
    link: "broken",
    face: { kind: "offline" },
  });
  expect(after(...started, { type: "opening" }, { type: "gave-up" })).toMatchObject({
    link: "broken",
    face: { kind: "question" },
  });
  expect(after({ type: "enter" }, { type: "gave-up" }, { type: "opening" }).face.kind).toBe(
    "connecting",
  );
});

test("coming back to nothing leads to the landing, and to a finished day to its end", () => {
  const back: BattleAction[] = [{ type: "enter" }, { type: "connected" }];

  expect(after(...back, { type: "joined", found: "idle" }).face.kind).toBe("idle");
  expect(after(...back, { type: "joined", found: "ended" }).face.kind).toBe("ended");
  const ending = { how: "empty", message: "None" } as const;
  expect(
    after(...back, { type: "ended", ending }, { type: "joined", found: "ended" }).face,
  ).toEqual({ kind: "ended", ending });
});

test("an ending stays as it was told when a connection comes back after it", () => {
  const ending = {
    how: "no-more",
    message: "Well played.",
    season: { points: 90, cnt: 12, answeredCorrectly: 9 },
    today: null,
    nextOpensAt: null,
  } as const;
  const again = { how: "attempted-all", message: "All done", nextOpensAt: null } as const;
  const back: BattleAction[] = [{ type: "opening" }, { type: "connected" }];

  const state = after(...started, { type: "ended", ending }, ...back, {
    type: "ended",
    ending: again,
  });

  expect(state).toMatchObject({ link: "open", face: { kind: "ended", ending } });
});

test("another device takes the seat, a refusal names its code, leaving forgets all", () => {
  expect(after(...started, { type: "taken-over" })).toMatchObject({
    link: "closed",
    face: { kind: "taken-over" },
  });
  const refusal = { code: "rank_closed", message: "", data: {} };
  expect(after(...started, { type: "refused", refusal }).face).toEqual({
    kind: "refused",
    refusal,
  });
  expect(after(...started, { type: "leave" })).toEqual(beforeMatch);
});

test("the challengers are kept through questions and results", () => {
  const challengers = [
    {
      rank: 1,
      firstname: "Ada",
      lastname: "Obi",
      avatar: null,
      name: "Enyimba",
      emblem: "",
      points: 9,
      me: true,
    },
  ];

  const state = after(
    ...started,
    { type: "challengers", challengers },
    { type: "result", result: result() },
    { type: "continue" },
  );

  expect(state.challengers).toEqual(challengers);
});
