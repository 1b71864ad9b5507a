import type { ChatMessage } from "@/features/chat/events";
import type { Pending, Room } from "@/features/chat/room";
import type { SkippedRange } from "@/features/chat/skipped";
import { dayName, dayOf } from "@/lib/format/dates";

const GROUP_WINDOW_MS = 5 * 60 * 1000;

/** Consecutive messages of one sender: the first one shows the author. */
interface Grouped {
  key: string;
  isMine: boolean;
  startsGroup: boolean;
}

export type MessageRow = Grouped & { kind: "message"; message: ChatMessage };
export type PendingRow = Grouped & { kind: "pending"; pending: Pending };

/** The entries of the list, from the top. */
export type Row =
  | { kind: "beginning"; key: string }
  | { kind: "day"; key: string; text: string }
  | { kind: "new"; key: string }
  /** Messages that were not sent to this phone: the first of them, and how many. */
  | { kind: "skipped"; key: string; from: number; count: number }
  | MessageRow
  | PendingRow;

interface Before {
  userId: string;
  timeMs: number;
}

/**
 * The rows of a room: days, the line "New messages", the messages, the number of those that are not
 * here, and last the unsent ones.
 */
export function rowsOf(room: Room, memberId: string, nowMs: number): Row[] {
  const isWhole = room.history === "ready" && !room.hasOlder && room.messages.length > 0;
  const rows: Row[] = isWhole ? [{ kind: "beginning", key: "beginning" }] : [];
  let before: Before | null = null;
  let linedAt = room.newAfterSeq ?? Number.POSITIVE_INFINITY;
  const line = (seq: number): Row[] => {
    if (seq <= linedAt) {
      return [];
    }
    linedAt = Number.POSITIVE_INFINITY;
    return [{ kind: "new", key: "new" }];
  };
  let place = 0;
  const skippedBefore = (seq: number): Row[] => {
    const counts: Row[] = [];
    for (; (room.skipped[place]?.to ?? seq) < seq; place += 1) {
      const { from, to } = room.skipped[place] as SkippedRange;
      const count: Row = { kind: "skipped", key: `skipped-${from}`, from, count: to - from + 1 };
      counts.push(...line(to), count);
    }
    return counts;
  };
  for (const message of room.messages) {
    const separators = skippedBefore(message.seq);
    separators.push(...dayBetween(before, message, nowMs));
    if (message.userId !== memberId) {
      separators.push(...line(message.seq));
    }
    rows.push(...separators, {
      kind: "message",
      key: message.clientId ?? message.id,
      message,
      isMine: message.userId === memberId,
      startsGroup: separators.length > 0 || !follows(before, message),
    });
    before = message;
  }
  const rest = skippedBefore(Number.POSITIVE_INFINITY);
  rows.push(...rest);
  before = rest.length > 0 ? null : before;
  rows.push(...pendingRows(room.pending, before, memberId));
  return rows;
}

function pendingRows(
  entries: readonly Pending[],
  last: Before | null,
  memberId: string,
): PendingRow[] {
  let before = last;
  return entries.map((pending) => {
    const next = { userId: memberId, timeMs: pending.typedAtMs };
    const startsGroup = !follows(before, next);
    before = next;
    return { kind: "pending", key: pending.clientId, pending, isMine: true, startsGroup };
  });
}

function dayBetween(before: Before | null, { id, timeMs }: ChatMessage, nowMs: number): Row[] {
  const day = dayOf(timeMs);
  return before !== null && dayOf(before.timeMs) === day
    ? []
    : [{ kind: "day", key: `day-${day}-${id}`, text: dayName(timeMs, nowMs) }];
}

function follows(before: Before | null, next: Before): boolean {
  return (
    before !== null &&
    before.userId === next.userId &&
    next.timeMs - before.timeMs < GROUP_WINDOW_MS
  );
}
