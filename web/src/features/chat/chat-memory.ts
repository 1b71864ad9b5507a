import { useSyncExternalStore } from "react";
import type { Tab } from "@/features/chat/chat-machine";
import type { OnlineMember, Quote } from "@/features/chat/events";
import type { Pending } from "@/features/chat/room";
import { isRecord, storedValue } from "@/lib/device/storage";

interface OfOneMember<Kept> {
  userId: string;
  /** The club of the tab "club"; its drafts are not used for another club. */
  clubId?: string;
  kept: Record<Tab, Kept>;
}

/** A draft of a message. */
export interface Draft {
  text: string;
  /** The message it answers. */
  replyTo: Quote | null;
  /** The members chosen as mentions; those whose names are still in the text count. */
  mentions: readonly OnlineMember[];
}

const NO_DRAFT: Draft = { text: "", replyTo: null, mentions: [] };
const NO_DRAFTS: Record<Tab, Draft> = { club: NO_DRAFT, public: NO_DRAFT };

/** `read` returns null for invalid data, and then nothing is kept. */
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

/** The member's drafts and unsent messages, which survive reloads of the tab. */
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

/** A message in flight at unload may not have arrived: it is sent again. */
function waiting(entries: readonly Pending[]): Pending[] {
  return entries.map((entry) => ({
    // Older versions of this app had no replies.
    ...{ replyTo: null, hasLostQuote: false, mentions: [] },
    ...entry,
    status: entry.status === "sending" ? "waiting" : entry.status,
  }));
}

/** The member's draft in a tab, and a setter. */
export function useDraft(
  userId: string,
  clubId: string,
  tab: Tab,
): [Draft, (change: Partial<Draft>) => void] {
  useSyncExternalStore(drafts.subscribe, drafts.read);
  const draft = readDrafts(userId, clubId)[tab];
  return [draft, (change) => changeDraft(userId, clubId, tab, change)];
}

/** Change the member's draft in a tab, from anywhere a reply starts. */
export function changeDraft(
  userId: string,
  clubId: string,
  tab: Tab,
  change: Partial<Draft>,
): void {
  const kept = readDrafts(userId, clubId);
  drafts.write({ userId, clubId, kept: { ...kept, [tab]: { ...kept[tab], ...change } } });
}

/** The member's draft in a tab. */
export function draftOf(userId: string, clubId: string, tab: Tab): Draft {
  return readDrafts(userId, clubId)[tab];
}

/** Clear a tab's draft after it was sent. */
export function clearDraft(userId: string, clubId: string, tab: Tab): void {
  changeDraft(userId, clubId, tab, NO_DRAFT);
}

function readDrafts(userId: string, clubId: string): Record<Tab, Draft> {
  const stored = drafts.read();
  if (stored?.userId !== userId) {
    return NO_DRAFTS;
  }
  // Older versions of this app did not store the club.
  const isOfClub = (stored.clubId ?? clubId) === clubId;
  return isOfClub ? stored.kept : { ...stored.kept, club: NO_DRAFT };
}

/** A stored draft; older versions of this app stored the text alone. */
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
