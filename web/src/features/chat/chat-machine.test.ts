import { expect, test } from "vitest";
import {
  type ChatAction,
  type ChatState,
  chatReducer,
  silentChat,
} from "@/features/chat/chat-machine";
import { type ChatMessage, readMessage, readUserList } from "@/features/chat/events";
import { nextPending, unreadIn } from "@/features/chat/room";
import type { RoomAction } from "@/features/chat/room-reducer";
import { aMessage } from "@/test/chat";

const ME = { id: "me", firstName: "Ada", lastName: "Obi", avatar: null };
const NAMES = { club: "Enyimba", public: "Public" };

function message(seq: number, change: Record<string, unknown> = {}): ChatMessage {
  const read = readMessage(aMessage(seq, change));
  if (read === null) {
    throw new Error("not a message");
  }
  return read;
}

function after(state: ChatState, ...actions: ChatAction[]): ChatState {
  return actions.reduce(chatReducer, state);
}

/** The same in the club's room, abbreviated. */
const inClub = (action: RoomAction): ChatAction => ({ tab: "club", ...action });
const arrived = (seq: number, change = {}) =>
  inClub({ type: "arrived", message: message(seq, change) });
const skipped = (from: number, to: number) => inClub({ type: "skipped", from, to });
const skippedIn = (state: ChatState) => state.rooms.club.skipped;
const joinedWith = (unread: number, lastReadSeq: number, lastSeq: number) =>
  inClub({ type: "joined", unreadState: { unread, lastReadSeq, lastSeq } });
const history = (seqs: number[], { hasOlder = false, upToSeq = 0 } = {}) =>
  inClub({ type: "history", messages: seqs.map((seq) => message(seq)), hasOlder, upToSeq });
const typed = (clientId: string) =>
  inClub({
    type: "typed",
    clientId,
    text: clientId,
    typedAtMs: 1,
    replyTo: null,
    mentions: [],
  });
const stored = (clientId: string, seq: number) =>
  inClub({
    type: "stored",
    clientId,
    id: `Enyimba-${seq}`,
    seq,
    timeMs: 2,
    club: "Enyimba",
    answeredAtMs: 1000,
  });
const users = (last: number): ChatAction => ({
  type: "users",
  names: NAMES,
  list: readUserList({ counts: { Enyimba: 2, Public: 9 }, last: { Enyimba: last } }),
});
const open: ChatAction = { type: "link", link: "open" };

const silent = silentChat(ME, { club: [], public: [] });
/** Three messages, all read, at the visible end. */
const attended = after(silent, joinedWith(0, 3, 3), open, history([1, 2, 3]), {
  type: "attended",
  isAttended: true,
  isAtEnd: true,
});
/** The same, scrolled up. */
const away = after(attended, { type: "attended", isAttended: false, isAtEnd: false });

const seqs = (state: ChatState) => state.rooms.club.messages.map(({ seq }) => seq);
const unread = (state: ChatState) => unreadIn(state.rooms.club, ME.id);

test("messages stand in the order of their numbers, whatever order they come in", () => {
  const state = after(away, arrived(6), arrived(4), arrived(5));

  expect(seqs(state)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(state.rooms.club.syncedSeq).toBe(6);
});

test("everything that arrives twice changes nothing", () => {
  const once = after(away, arrived(4), typed("x"), stored("x", 5), arrived(5, { user_id: "me" }));

  expect(after(once, arrived(4))).toBe(once);
  expect(after(once, arrived(5, { user_id: "me" }))).toBe(once);
  expect(after(once, stored("x", 5))).toBe(once);
  expect(seqs(after(once, history([3, 4, 5])))).toEqual([1, 2, 3, 4, 5]);
  expect(seqs(once)).toEqual([1, 2, 3, 4, 5]);
});

test("a skipped number, a newer number told, or a new line means to catch up", () => {
  expect(after(away, arrived(4)).rooms.club.mustCatchUp).toBe(false);
  expect(after(away, arrived(5)).rooms.club.mustCatchUp).toBe(true);
  expect(after(away, users(3)).rooms.club.mustCatchUp).toBe(false);
  expect(after(away, users(4)).rooms.club.mustCatchUp).toBe(true);
  expect(after(away, { type: "link", link: "opening" }, open).rooms.club.mustCatchUp).toBe(true);
});

test("catching up ends when the last page is not full, also where messages were hidden", () => {
  const behind = after(away, arrived(9));
  const half = after(
    behind,
    inClub({ type: "caught-up", messages: [message(4)], isComplete: false, upToSeq: 9 }),
  );
  expect(half.rooms.club).toMatchObject({ mustCatchUp: true, syncedSeq: 4 });

  const whole = after(
    half,
    inClub({ type: "caught-up", messages: [message(6)], isComplete: true, upToSeq: 9 }),
  );
  expect(whole.rooms.club).toMatchObject({ mustCatchUp: false, syncedSeq: 9 });
  expect(seqs(whole)).toEqual([1, 2, 3, 4, 6, 9]);
});

test("messages that were not sent are no gap, and count as unread", () => {
  const state = after(away, arrived(4), skipped(5, 9), arrived(10));

  expect(state.rooms.club).toMatchObject({ mustCatchUp: false, syncedSeq: 10, lastSeq: 10 });
  expect(skippedIn(state)).toEqual([{ from: 5, to: 9 }]);
  expect(unread(state)).toBe(7);
  expect(after(state, arrived(12)).rooms.club.mustCatchUp).toBe(true);
});

test("the announcement may come after a later message, and covers only what is not here", () => {
  const state = after(away, arrived(6), arrived(8), skipped(4, 9));

  expect(state.rooms.club).toMatchObject({ syncedSeq: 9, lastSeq: 9 });
  expect(skippedIn(state)).toEqual([
    { from: 4, to: 5 },
    { from: 7, to: 7 },
    { from: 9, to: 9 },
  ]);
  expect(after(state, skipped(4, 9)).rooms.club).toEqual(state.rooms.club);
});

test("an own message before the announcement of those before it causes no load", () => {
  const mine = arrived(8, { user_id: "me" });
  const early = after(away, mine);
  const announced = after(away, mine, skipped(4, 7));

  expect(early.rooms.club).toMatchObject({ mustCatchUp: false, syncedSeq: 3, lastSeq: 8 });
  expect(announced.rooms.club).toMatchObject({ mustCatchUp: false, syncedSeq: 8 });
  expect(after(early, arrived(9)).rooms.club.mustCatchUp).toBe(true);
});

test("skipped messages that come after their range has left the room are dropped", () => {
  const state = after(away, skipped(4, 9), arrived(10));
  const read = inClub({ type: "skipped-read", messages: [message(20)], from: 20, upToSeq: 20 });

  expect(after(state, read).rooms.club.messages).toEqual(state.rooms.club.messages);
});

test("a message that arrives after all leaves the others of its range", () => {
  const state = after(away, skipped(4, 9), arrived(6), arrived(9), arrived(10));

  expect(skippedIn(state)).toEqual([
    { from: 4, to: 5 },
    { from: 7, to: 8 },
  ]);
  expect(state.rooms.club).toMatchObject({ mustCatchUp: false, syncedSeq: 10 });
  expect(seqs(state)).toEqual([1, 2, 3, 6, 9, 10]);
});

test("what has been read back is no longer skipped, with what was deleted meanwhile", () => {
  const read = inClub({
    type: "skipped-read",
    messages: [message(4), message(6)],
    from: 4,
    upToSeq: 6,
  });
  const state = after(away, skipped(4, 9), arrived(10), read);

  expect(seqs(state)).toEqual([1, 2, 3, 4, 6, 10]);
  expect(skippedIn(state)).toEqual([{ from: 7, to: 9 }]);
  expect(state.rooms.club.startMoved).toBe(true);
  expect(state.rooms.club.mustCatchUp).toBe(false);
});

test("a page that covers them contains what was skipped", () => {
  const behind = after(away, skipped(4, 9), arrived(12));
  const page = inClub({
    type: "caught-up",
    messages: [4, 5, 6, 8, 9, 10, 11, 12].map((seq) => message(seq)),
    isComplete: true,
    upToSeq: 12,
  });

  expect(skippedIn(after(behind, page))).toEqual([]);
  expect(skippedIn(after(behind, history([11, 12], { hasOlder: true, upToSeq: 12 })))).toEqual([]);
  const joining = history([3, 8, 9, 10, 11, 12], { hasOlder: true, upToSeq: 12 });
  expect(skippedIn(after(behind, joining))).toEqual([]);
});

test("who watches the end has read what was only counted, too", () => {
  const state = after(attended, arrived(4), skipped(5, 9));

  expect(state.rooms.club.lastReadSeq).toBe(9);
  expect(unread(state)).toBe(0);
});

test("before the messages are loaded, what was skipped is unread", () => {
  const state = after(silent, joinedWith(2, 1, 3), skipped(4, 9));

  expect(unread(state)).toBe(8);
  expect(skippedIn(state)).toEqual([]);
});

test("messages that are cut off take what was skipped among them along", () => {
  const many = Array.from({ length: 602 }, (_, step) => arrived(5 + step));
  const state = after(attended, skipped(4, 4), ...many, skipped(607, 610));

  expect(skippedIn(state)).toEqual([{ from: 607, to: 610 }]);
  expect(unread(state)).toBe(0);
});

test("in slow mode a stored message holds the next one back", () => {
  const slow: ChatAction = {
    type: "users",
    names: NAMES,
    list: readUserList({ slow: { Enyimba: 5, Public: 15 } }),
  };
  const state = after(away, slow, typed("a"), stored("a", 4));

  expect(state.rooms.club).toMatchObject({ slowSeconds: 5, heldUntilMs: 6000 });
  expect(state.rooms.public).toMatchObject({ slowSeconds: 15, heldUntilMs: 0 });
  expect(after(state, users(4)).rooms.club.slowSeconds).toBe(0);
});

test("far behind, a room begins anew with the newest page and what came after it", () => {
  const page = [message(899), message(900)];
  const state = after(
    away,
    users(900),
    arrived(901),
    inClub({ type: "history", messages: page, hasOlder: true, upToSeq: 900 }),
  );

  expect(seqs(state)).toEqual([899, 900, 901]);
  expect(state.rooms.club).toMatchObject({ hasOlder: true, mustCatchUp: false, syncedSeq: 901 });
  expect(unread(state)).toBe(898);
});

test("what did not load is asked for again by every new line", () => {
  const failed = after(silent, joinedWith(0, 3, 3), inClub({ type: "history-failed" }));
  expect(failed.rooms.club.history).toBe("failed");

  expect(after(failed, open).rooms.club.history).toBe("untouched");
});

test("what came while one page was fetched is asked for next", () => {
  const state = after(
    away,
    users(5),
    arrived(8),
    inClub({ type: "caught-up", messages: [message(4), message(5)], isComplete: true, upToSeq: 5 }),
  );

  expect(state.rooms.club.mustCatchUp).toBe(true);
  expect(state.rooms.club.syncedSeq).toBe(5);
});

test("what arrives while the first page is on its way is kept", () => {
  const state = after(
    silent,
    joinedWith(0, 3, 3),
    open,
    inClub({ type: "history-asked" }),
    arrived(4),
    history([1, 2, 3], { upToSeq: 3 }),
  );

  expect(seqs(state)).toEqual([1, 2, 3, 4]);
  expect(state.rooms.club.mustCatchUp).toBe(false);
});

test("a room that was never opened only counts", () => {
  const state = after(
    silent,
    joinedWith(2, 5, 7),
    arrived(8),
    arrived(8),
    arrived(9, { user_id: "me" }),
    users(11),
  );

  expect(seqs(state)).toEqual([]);
  expect(unread(state)).toBe(5);
});

test("opening a room with unread messages draws the line, and looking at its end reads them", () => {
  const state = after(silent, joinedWith(2, 1, 3), history([1, 2, 3]));
  expect(state.rooms.club.newAfterSeq).toBe(1);
  expect(unread(state)).toBe(2);

  const read = after(state, { type: "attended", isAttended: true, isAtEnd: true });
  expect(unread(read)).toBe(0);
  expect(read.rooms.club).toMatchObject({ lastReadSeq: 3, newAfterSeq: 1 });
});

test("unread messages before the loaded page count until they are loaded or the end is seen", () => {
  const state = after(silent, joinedWith(4, 1, 5), history([4, 5], { hasOlder: true }));
  expect(unread(state)).toBe(4);

  const older = inClub({ type: "older", messages: [message(2), message(3)], hasOlder: true });
  expect(unread(after(state, older))).toBe(4);
  expect(unread(after(state, { type: "attended", isAttended: true, isAtEnd: true }))).toBe(0);
});

test("who looks on reads at once; who has scrolled up gets a count and a line", () => {
  expect(unread(after(attended, arrived(4)))).toBe(0);
  expect(after(attended, arrived(4)).rooms.club).toMatchObject({
    lastReadSeq: 4,
    newAfterSeq: null,
  });

  const state = after(away, arrived(4), arrived(5));
  expect(unread(state)).toBe(2);
  expect(state.rooms.club.newAfterSeq).toBe(3);
});

test("one's own messages are never unread and are not announced", () => {
  const state = after(away, arrived(4, { user_id: "me" }));

  expect(unread(state)).toBe(0);
  expect(state.arrival).toBeNull();
  expect(after(away, arrived(4)).arrival).toMatchObject({ tab: "club", message: { seq: 4 } });
});

test("older messages are put before, said to be so, and announced to nobody", () => {
  const older = inClub({ type: "older", messages: [message(1)], hasOlder: false });
  const state = after(silent, joinedWith(0, 3, 3), history([2, 3], { hasOlder: true }), older);

  expect(seqs(state)).toEqual([1, 2, 3]);
  expect(state.rooms.club).toMatchObject({ startMoved: true, hasOlder: false, older: "idle" });
  expect(state.arrival).toBeNull();
  expect(after(state, arrived(4)).rooms.club.startMoved).toBe(false);
});

test("a hidden message goes, in whichever room it was", () => {
  expect(seqs(after(away, inClub({ type: "hidden", id: "Enyimba-2" })))).toEqual([1, 3]);
});

test("own messages wait in the order typed, and a refused one lets the next pass", () => {
  const state = after(away, typed("a"), typed("b"), typed("c"));
  expect(nextPending(state.rooms.club)?.clientId).toBe("a");

  const refused = after(
    state,
    inClub({ type: "handed-over", clientId: "a" }),
    inClub({
      type: "refused",
      clientId: "a",
      sentence: "You may not write until tomorrow.",
      hasLostQuote: false,
    }),
  );
  expect(nextPending(refused.rooms.club)?.clientId).toBe("b");
  expect(refused.rooms.club.pending[0]).toMatchObject({
    status: "failed",
    refusal: "You may not write until tomorrow.",
  });

  const again = after(refused, inClub({ type: "retry", clientId: "a" }));
  expect(nextPending(again.rooms.club)).toMatchObject({ clientId: "a", status: "waiting" });
  expect(after(again, inClub({ type: "discard", clientId: "a" })).rooms.club.pending).toHaveLength(
    2,
  );
});

test("a stored message leaves the queue, by its acknowledgement or its broadcast", () => {
  const waiting = after(away, typed("a"), inClub({ type: "handed-over", clientId: "a" }));

  const acknowledged = after(waiting, stored("a", 4));
  expect(acknowledged.rooms.club.pending).toEqual([]);
  expect(acknowledged.rooms.club.messages.at(-1)).toMatchObject({
    userId: "me",
    text: "a",
    seq: 4,
  });

  const broadcast = after(waiting, arrived(4, { user_id: "me", client_id: "a" }));
  expect(broadcast.rooms.club.pending).toEqual([]);
  expect(after(broadcast, stored("a", 4))).toBe(broadcast);
});

test("a line that drops puts what was on its way back into the queue", () => {
  const state = after(away, typed("a"), inClub({ type: "handed-over", clientId: "a" }), {
    type: "link",
    link: "opening",
  });

  expect(state.rooms.club.pending[0]?.status).toBe("waiting");
});

test("a rush holds the room back, and not the other one", () => {
  const state = after(
    away,
    typed("a"),
    inClub({ type: "held", clientId: "a", untilMs: 5000, slowSeconds: 0 }),
  );

  expect(state.rooms.club).toMatchObject({ heldUntilMs: 5000 });
  expect(state.rooms.club.pending[0]?.status).toBe("waiting");
  expect(state.rooms.public.heldUntilMs).toBe(0);
});

test("a line stays where it stands while the member reads back, and moves when they return", () => {
  const opened = after(silent, joinedWith(2, 1, 3), history([1, 2, 3]));
  const back = after(
    opened,
    { type: "attended", isAttended: true, isAtEnd: true },
    { type: "attended", isAttended: false, isAtEnd: false },
    arrived(4),
  );
  expect(back.rooms.club.newAfterSeq).toBe(1);

  expect(
    after(back, { type: "attended", isAttended: true, isAtEnd: true }).rooms.club.newAfterSeq,
  ).toBe(3);
});

test("leaving a tab takes its line away", () => {
  const state = after(away, arrived(4), { type: "tab", tab: "public" });

  expect(state.rooms.club.newAfterSeq).toBeNull();
  expect(state.isAttended).toBe(false);
});

test("whoever looks on keeps the newest messages, and reads older ones again", () => {
  const long = after(attended, ...Array.from({ length: 700 }, (_, index) => arrived(index + 4)));

  expect(seqs(long).length).toBeLessThanOrEqual(600);
  expect(seqs(long).at(-1)).toBe(703);
  expect(long.rooms.club).toMatchObject({ hasOlder: true, mustCatchUp: false });
  expect(unread(long)).toBe(0);
});

test("whoever reads back loses nothing below or above", () => {
  const long = after(away, ...Array.from({ length: 700 }, (_, index) => arrived(index + 4)));

  expect(seqs(long)).toHaveLength(703);
  expect(unread(long)).toBe(700);
});

test("a window that nobody looks at forgets its oldest messages too, and counts them as unread", () => {
  const unseen = after(attended, { type: "attended", isAttended: false, isAtEnd: true });
  const long = after(unseen, ...Array.from({ length: 700 }, (_, index) => arrived(index + 4)));

  expect(seqs(long).length).toBeLessThanOrEqual(600);
  expect(unread(long)).toBe(700);
});

test("a room that is not open forgets its oldest messages, but not that they are unread", () => {
  const elsewhere = after(attended, { type: "tab", tab: "public" });
  const long = after(elsewhere, ...Array.from({ length: 700 }, (_, index) => arrived(index + 4)));

  expect(seqs(long).length).toBeLessThanOrEqual(600);
  expect(unread(long)).toBe(700);
});

test("an older page on its way finds the messages that it joins", () => {
  const asked = after(attended, inClub({ type: "older-asked" }));
  const long = after(asked, ...Array.from({ length: 700 }, (_, index) => arrived(index + 4)));

  expect(seqs(long)).toHaveLength(703);
});
