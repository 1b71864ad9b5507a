import { useSyncExternalStore } from "react";
import type { Tab } from "@/features/chat/chat-machine";
import type { Pending } from "@/features/chat/room";
import { isRecord, storedValue } from "@/lib/storage";

interface OfOneMember<Kept> {
  userId: string;
  /** Whose room the tab "club" was; what was typed for it goes to no other club's. */
  clubId?: string;
  kept: Record<Tab, Kept>;
}

function keptPerTab<Kept>(key: string, isKept: (value: unknown) => boolean) {
  return storedValue<OfOneMember<Kept>>(
    key,
    (stored) =>
      isRecord(stored) &&
      isRecord(stored["kept"]) &&
      isKept(stored["kept"]["club"]) &&
      isKept(stored["kept"]["public"])
        ? (stored as unknown as OfOneMember<Kept>)
        : null,
    "for-this-tab",
  );
}

const queue = keptPerTab<readonly Pending[]>("chat-queue", Array.isArray);
const drafts = keptPerTab<string>("chat-drafts", (value) => typeof value === "string");

/** What this member has typed and the server has not taken, through reloads of the browser's tab. */
export function readQueue(userId: string, clubId: string): Record<Tab, readonly Pending[]> {
  const stored = queue.read();
  if (stored?.userId !== userId) {
    return { club: [], public: [] };
  }
  return {
    club: stored.clubId === clubId ? waiting(stored.kept.club) : [],
    public: waiting(stored.kept.public),
  };
}

export function writeQueue(
  userId: string,
  clubId: string,
  kept: Record<Tab, readonly Pending[]>,
): void {
  if (kept.club.length > 0 || kept.public.length > 0) {
    queue.write({ userId, clubId, kept });
  } else if (queue.read() !== null) {
    queue.clear();
  }
}

/** What was on its way when the page went may not have arrived: it goes out again. */
function waiting(entries: readonly Pending[]): Pending[] {
  return entries.map((entry) => ({
    // An older version of this app knew no answers.
    ...{ replyTo: null, hasLostQuote: false, mentions: [] },
    ...entry,
    status: entry.status === "sending" ? "waiting" : entry.status,
  }));
}

/** The text that this member has begun in a tab, and how to change it. */
export function useDraft(userId: string, tab: Tab): [string, (text: string) => void] {
  const stored = useSyncExternalStore(drafts.subscribe, drafts.read);
  const kept = stored?.userId === userId ? stored.kept : { club: "", public: "" };
  return [kept[tab], (text) => drafts.write({ userId, kept: { ...kept, [tab]: text } })];
}
