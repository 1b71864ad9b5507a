import { useSyncExternalStore } from "react";
import { endSubscription } from "@/lib/device/push";
import { clearMemberData, clearTabData, isRecord, storedValue } from "@/lib/device/storage";
import { deleteLastData } from "@/lib/session/last-data";
import { waitForCleanup } from "@/lib/session/pending-cleanup";
import { clearToasts } from "@/lib/ui/toasts";

/** The signed-in member as stored under the key `user` (spec 3). */
export interface SessionUser {
  id: string;
  userToken: string;
  firstName: string;
  lastName: string;
  email?: string;
  phone: string;
  club: string;
  clubName: string;
  emblem?: string | null;
  clubColours?: [string, string];
  avatar: string | null;
  badge: string;
  subscriptionId: string | null;
}

const STORAGE_KEY = "user";

/** The fields that every screen needs; a stored user without one of them is ignored. */
const REQUIRED_FIELDS = [
  "id",
  "userToken",
  "firstName",
  "lastName",
  "phone",
  "club",
  "clubName",
  "badge",
];

export const session = storedValue<SessionUser>(STORAGE_KEY, (stored) =>
  isRecord(stored) &&
  REQUIRED_FIELDS.every((name) => typeof stored[name] === "string") &&
  stored["userToken"] !== ""
    ? (stored as unknown as SessionUser)
    : null,
);

/** The member whose session expired here: unfinished work is kept for them only. */
const returningUser = storedValue<string>("expected-back", (stored) =>
  typeof stored === "string" ? stored : null,
);

/** Kept for a member whose session expired: the cart, and the keys of unanswered writes. */
const KEPT_KEYS = ["cart", "attempts"];

/** The member who has requested account deletion; after a lost response its outcome is unknown. */
const deletionRequest = storedValue<string>("leaving", (stored) =>
  typeof stored === "string" ? stored : null,
);

/** Whether the history's pages belong to a member who signed out: the next one starts fresh. */
export const hasSignedOutPages = storedValue<true>(
  "pages-of-the-left",
  (stored) => (stored === true ? stored : null),
  "for-this-tab",
);

/** Record that the member deletes their account: the session then ends like a sign-out. */
export function requestAccountDeletion(): void {
  const member = session.read();
  if (member !== null) {
    deletionRequest.write(member.id);
  }
}

/** The server refused the deletion: the account stays. */
export function cancelDeletion(): void {
  deletionRequest.clear();
}

/**
 * Sign `user` in on this phone; any other member's data is removed first.
 *
 * That includes their push subscription. Resolves when it is removed; the member is signed in at
 * once.
 */
export async function beginSession(user: SessionUser): Promise<void> {
  const removals: Promise<unknown>[] = [];
  const known = session.read()?.id ?? returningUser.read();
  if (known !== user.id) {
    // Other tabs see one change, from member to member, without a signed-out state in between.
    clearMemberData([STORAGE_KEY]);
    removals.push(endSubscription());
    if (known !== null) {
      removals.push(deleteLastData(known));
    }
  }
  returningUser.clear();
  hasSignedOutPages.clear();
  session.write(user);
  claimTab();
  await waitForCleanup(...removals);
}

/**
 * Sign the member out on this phone: at once, and without asking the server.
 *
 * `left`: they signed out or deleted the account, and all their data is removed. `expired`: the
 * server no longer accepts their token; unfinished work is kept until the next sign-in, unless they
 * had requested account deletion. Their last data is removed either way, and so is the browser's
 * subscription, which the server deletes too: resolves when both are removed.
 */
export function endSession(reason: "left" | "expired"): Promise<void> {
  const member = session.read();
  session.clear();
  clearToasts();
  const lastData = member === null ? Promise.resolve() : deleteLastData(member.id);
  const removed = waitForCleanup(endSubscription(), lastData);
  if (reason === "left" || member === null || deletionRequest.read() === member.id) {
    clearMemberData();
    hasSignedOutPages.write(true);
  } else {
    clearMemberData(KEPT_KEYS);
    returningUser.write(member.id);
  }
  return removed;
}

/** Why the server ended a session, for the page that is loaded next. */
const signOutMessage = storedValue<string>(
  "last-word",
  (stored) => (typeof stored === "string" && stored !== "" ? stored : null),
  "for-this-tab",
);

/** Store the server's sentence for the next page. */
export function saveSignOutMessage(sentence: string): void {
  signOutMessage.write(sentence);
}

/** Read the stored sentence of the previous page, once. */
export function takeSignOutMessage(): string | null {
  const sentence = signOutMessage.read();
  signOutMessage.clear();
  return sentence;
}

/** The member of this tab: its stored data is theirs only. */
const tabOwner = storedValue<string>(
  "tab-owner",
  (stored) => (typeof stored === "string" ? stored : null),
  "for-this-tab",
);

/**
 * Assign this tab to the signed-in member; another member's data in it is removed.
 *
 * Also called at the start: a suspended tab may wake up after a change of members.
 */
export function claimTab(): void {
  const id = session.read()?.id ?? null;
  const owner = tabOwner.read();
  if (owner !== null && owner !== id) {
    clearTabData();
    clearToasts();
  }
  if (id !== null) {
    tabOwner.write(id);
  }
}

/** A signal that aborts when the current member's session ends. */
export function untilSessionEnds(): AbortSignal {
  const id = session.read()?.id;
  const ending = new AbortController();
  const stop = session.subscribe(() => {
    if (session.read()?.id !== id) {
      stop();
      ending.abort();
    }
  });
  return ending.signal;
}

/** The signed-in member, or null; follows a sign-in or sign-out in another tab. */
export function useSession(): SessionUser | null {
  return useSyncExternalStore(session.subscribe, session.read);
}

/** The signed-in member, for components inside the guarded shell. */
export function useMember(): SessionUser {
  const member = useSession();
  if (member === null) {
    throw new Error("useMember is only for screens of signed-in members");
  }
  return member;
}
