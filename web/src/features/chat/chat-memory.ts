import { useSyncExternalStore } from "react";
import type { Tab } from "@/features/chat/chat-machine";
import type { OnlineMember, Quote } from "@/features/chat/events";
import type { Pending } from "@/features/chat/room";
import { isRecord, storedValue } from "@/lib/storage";

interface OfOneMember<Kept> {
  userId: string;
  /** Whose room the tab "club" was; what was typed for it goes to no other club's. */
  clubId?: string;
  kept: Record<Tab, Kept>;
}

/** A member's words before they are sent. */
export interface Draft {
  text: string;
  /** What they answer. */
  replyTo: Quote | null;
  /** Who was chosen to be named; those whose names still stand in the text are. */
  mentions: readonly OnlineMember[];
}

const NO_DRAFT: Draft = { text: "", replyTo: null, mentions: [] };
const NO_DRAFTS: Record<Tab, Draft> = { club: NO_DRAFT, public: NO_DRAFT };

/** `read` gives null for what it does not recognise, and then nothing is kept. */
function keptPerTab<Kept>(key: string, read: (value: unknown) => Kept | null) {
  return storedValue<OfOneMember<Kept>>(
    key,
    (stored) => {
      if (!isRecord(stored) || !isRecord(stored["kept"])) {
        return null;
      }
      const club = read(stored["kept"]["club"]);
      const open = read(stored["kept"]["public"]);
      const { userId, clubId } = stored;
      return typeof userId !== "string" || club === null || open === null
        ? null
        : {
            userId,
            ...(typeof clubId === "string" ? { clubId } : {}),
            kept: { club, public: open },
          };
    },
    "for-this-tab",
  );
}

const queue = keptPerTab<readonly Pending[]>("chat-queue", (value) =>
  Array.isArray(value) ? value : null,
);
const drafts = keptPerTab<Draft>("chat-drafts", readDraft);

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

/** What this member has begun in a tab, and how to change it. */
export function useDraft(
  userId: string,
  clubId: string,
  tab: Tab,
): [Draft, (change: Partial<Draft>) => void] {
  useSyncExternalStore(drafts.subscribe, drafts.read);
  const draft = readDrafts(userId, clubId)[tab];
  return [draft, (change) => changeDraft(userId, clubId, tab, change)];
}

/** Change what this member has begun in a tab, from wherever it is answered. */
export function changeDraft(
  userId: string,
  clubId: string,
  tab: Tab,
  change: Partial<Draft>,
): void {
  const kept = readDrafts(userId, clubId);
  drafts.write({ userId, clubId, kept: { ...kept, [tab]: { ...kept[tab], ...change } } });
}

/** Begin anew in a tab: what was typed is sent. */
export function clearDraft(userId: string, clubId: string, tab: Tab): void {
  changeDraft(userId, clubId, tab, NO_DRAFT);
}

function readDrafts(userId: string, clubId: string): Record<Tab, Draft> {
  const stored = drafts.read();
  if (stored?.userId !== userId) {
    return NO_DRAFTS;
  }
  // An older version of this app did not say for which club.
  const isOfClub = (stored.clubId ?? clubId) === clubId;
  return isOfClub ? stored.kept : { ...stored.kept, club: NO_DRAFT };
}

/** A draft as it was kept; an older version of this app kept its text alone. */
function readDraft(value: unknown): Draft | null {
  if (typeof value === "string") {
    return { ...NO_DRAFT, text: value };
  }
  if (!isRecord(value) || typeof value["text"] !== "string") {
    return null;
  }
  const mentions = Array.isArray(value["mentions"]) ? value["mentions"] : [];
  return {
    text: value["text"],
    replyTo: isQuote(value["replyTo"]) ? value["replyTo"] : null,
    mentions: mentions.filter(isOnlineMember),
  };
}

function isQuote(value: unknown): value is Quote {
  return (
    isRecord(value) &&
    hasTexts(value, ["id", "userId", "lastName", "firstName"]) &&
    (value["excerpt"] === null || typeof value["excerpt"] === "string")
  );
}

function isOnlineMember(value: unknown): value is OnlineMember {
  return isRecord(value) && hasTexts(value, ["id", "lastName", "firstName"]);
}

function hasTexts(value: Record<string, unknown>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === "string");
}
