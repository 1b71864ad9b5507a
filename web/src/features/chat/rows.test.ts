import { expect, test } from "vitest";
import { readMessage } from "@/features/chat/events";
import { emptyRoom, type Pending, type Room } from "@/features/chat/room";
import { rowsOf } from "@/features/chat/rows";
import { dayName, formatTime } from "@/lib/format/dates";
import { aMessage } from "@/test/chat";

const NOON = Date.parse("2026-11-21T11:00:00Z");
const MINUTE = 60_000;

function message(seq: number, userId: string, timeMs: number) {
  const read = readMessage(aMessage(seq, { user_id: userId, time: timeMs }));
  if (read === null) {
    throw new Error("not a message");
  }
  return read;
}

function room(change: Partial<Room>): Room {
  return { ...emptyRoom, history: "ready", ...change };
}

const kinds = (of: Room) =>
  rowsOf(of, "me", NOON).map((row) => {
    if (row.kind === "day") {
      return row.text;
    }
    return "startsGroup" in row
      ? `${row.isMine ? "mine" : "theirs"}${row.startsGroup ? "*" : ""}`
      : row.kind;
  });

test("one sender's messages within five minutes are a group, and each day is headed", () => {
  const messages = [
    message(1, "b", NOON - 48 * 60 * MINUTE),
    message(2, "b", NOON - 24 * 60 * MINUTE),
    message(3, "b", NOON - 20 * MINUTE),
    message(4, "b", NOON - 18 * MINUTE),
    message(5, "b", NOON - 10 * MINUTE),
    message(6, "me", NOON - 9 * MINUTE),
    message(7, "me", NOON - 8 * MINUTE),
  ];

  expect(kinds(room({ messages }))).toEqual([
    "beginning",
    "Thursday, 19 November 2026",
    "theirs*",
    "Yesterday",
    "theirs*",
    "Today",
    "theirs*",
    "theirs",
    "theirs*",
    "mine*",
    "mine",
  ]);
});

test("the line New messages stands before the first unread one of others, and begins a group", () => {
  const messages = [
    message(1, "b", NOON - 3 * MINUTE),
    message(2, "me", NOON - 2 * MINUTE),
    message(3, "b", NOON - MINUTE),
    message(4, "b", NOON),
  ];

  expect(kinds(room({ messages, newAfterSeq: 1, hasOlder: true }))).toEqual([
    "Today",
    "theirs*",
    "mine*",
    "new",
    "theirs*",
    "theirs",
  ]);
});

test("what is not sent stands last, in the order typed, in one group with what was", () => {
  const pending: Pending[] = ["one", "two"].map((clientId) => ({
    clientId,
    text: clientId,
    typedAtMs: NOON,
    status: "waiting",
    refusal: "",
    replyTo: null,
    hasLostQuote: false,
    mentions: [],
  }));

  const rows = rowsOf(room({ messages: [message(1, "me", NOON)], pending }), "me", NOON);

  expect(rows.slice(-2).map(({ key }) => key)).toEqual(["one", "two"]);
  expect(rows.at(-2)).toMatchObject({ kind: "pending", startsGroup: false });
});

test("days begin at midnight in Lagos, and times have twelve hours", () => {
  const lateEvening = Date.parse("2026-11-20T22:59:00Z");
  const pastMidnight = Date.parse("2026-11-20T23:01:00Z");

  expect(dayName(lateEvening, NOON)).toBe("Yesterday");
  expect(dayName(pastMidnight, NOON)).toBe("Today");
  expect(formatTime(lateEvening)).toBe("11:59 pm");
  expect(formatTime(pastMidnight)).toBe("12:01 am");
});

test("messages that were not sent are counted in their place", () => {
  const messages = [message(1, "b", NOON), message(5, "b", NOON + MINUTE)];
  const skipped = [
    { from: 2, to: 4 },
    { from: 6, to: 6 },
  ];
  const rows = rowsOf(room({ messages, skipped, hasOlder: true }), "me", NOON);

  expect(rows.map((row) => (row.kind === "skipped" ? row.count : row.kind))).toEqual([
    "day",
    "message",
    3,
    "message",
    1,
  ]);
  expect(rows[3]).toMatchObject({ startsGroup: true });
});

test("the line stands before the first new messages, whether they were sent or not", () => {
  const messages = [message(1, "b", NOON), message(5, "b", NOON + MINUTE)];
  const between = rowsOf(
    room({ messages, skipped: [{ from: 2, to: 4 }], hasOlder: true, newAfterSeq: 1 }),
    "me",
    NOON,
  );
  const last = rowsOf(
    room({ messages, skipped: [{ from: 6, to: 9 }], hasOlder: true, newAfterSeq: 5 }),
    "me",
    NOON,
  );

  expect(between.map(({ kind }) => kind)).toEqual(["day", "message", "new", "skipped", "message"]);
  expect(last.map(({ kind }) => kind)).toEqual(["day", "message", "message", "new", "skipped"]);
});
