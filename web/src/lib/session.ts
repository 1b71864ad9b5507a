import { useSyncExternalStore } from "react";
import { forgetLastData } from "@/lib/last-data";
import { endSubscription } from "@/lib/push";
import { whenRemoved } from "@/lib/removals";
import { forgetMember, forgetTab, isRecord, storedValue } from "@/lib/storage";
import { clearToasts } from "@/lib/toasts";

/** The signed-in member as kept under the storage key `user` (spec 3). */
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

/** What every screen draws; a stored user without one of them is nobody. */
const DRAWN = ["id", "userToken", "firstName", "lastName", "phone", "club", "clubName", "badge"];

export const session = storedValue<SessionUser>(STORAGE_KEY, (stored) =>
  isRecord(stored) &&
  DRAWN.every((name) => typeof stored[name] === "string") &&
  stored["userToken"] !== ""
    ? (stored as unknown as SessionUser)
    : null,
);

/** Whose session ran out here: what they had begun waits for them, and for nobody else. */
const expected = storedValue<string>("expected-back", (stored) =>
  typeof stored === "string" ? stored : null,
);

/** What somebody whose session ran out finds again: the cart, and the keys of unanswered writes. */
const KEPT_FOR_THEIR_RETURN = ["cart", "attempts"];

/** Who has asked for the end of their account; after a lost answer nobody knows whether it came. */
const leaving = storedValue<string>("leaving", (stored) =>
  typeof stored === "string" ? stored : null,
);

/** Whether the pages behind this one were a member's who has left: the next one begins afresh. */
export const pagesOfTheLeft = storedValue<true>(
  "pages-of-the-left",
  (stored) => (stored === true ? stored : null),
  "for-this-tab",
);

/** Note that the member gives up their account: their session's end is then a leaving. */
export function askToLeave(): void {
  const member = session.read();
  if (member !== null) {
    leaving.write(member.id);
  }
}

/** The account stays: the server has refused to end it. */
export function stay(): void {
  leaving.clear();
}

/**
 * Sign `user` in on this phone; what belongs to anybody else is forgotten first.
 *
 * That includes notifications: this browser is pushed to for nobody else any more. Ends when
 * theirs is gone; the member is signed in at once.
 */
export async function beginSession(user: SessionUser): Promise<void> {
  const removals: Promise<unknown>[] = [];
  const known = session.read()?.id ?? expected.read();
  if (known !== user.id) {
    // Other tabs see one change, from member to member: nobody is signed out in between.
    forgetMember([STORAGE_KEY]);
    removals.push(endSubscription());
    if (known !== null) {
      removals.push(forgetLastData(known));
    }
  }
  expected.clear();
  pagesOfTheLeft.clear();
  session.write(user);
  claimTab();
  await whenRemoved(...removals);
}

/**
 * Sign the member out on this phone: at once, and without asking the server.
 *
 * `left`: they signed out or their account is gone, and nothing of theirs stays. `expired`: the
 * server no longer takes their token; what they had begun stays until somebody signs in, unless they
 * had asked for the end of their account. What they saw last goes either way, and so does the
 * browser's subscription, which the server forgets too: ends when both are gone.
 */
export function endSession(reason: "left" | "expired"): Promise<void> {
  const member = session.read();
  session.clear();
  clearToasts();
  const lastData = member === null ? Promise.resolve() : forgetLastData(member.id);
  const removed = whenRemoved(endSubscription(), lastData);
  if (reason === "left" || member === null || leaving.read() === member.id) {
    forgetMember();
    pagesOfTheLeft.write(true);
  } else {
    forgetMember(KEPT_FOR_THEIR_RETURN);
    expected.write(member.id);
  }
  return removed;
}

/** Why the server ended a session, to be said on the page that is loaded next. */
const lastWord = storedValue<string>(
  "last-word",
  (stored) => (typeof stored === "string" && stored !== "" ? stored : null),
  "for-this-tab",
);

/** Keep the server's sentence beyond the page: the next one says it. */
export function keepLastWord(sentence: string): void {
  lastWord.write(sentence);
}

/** Take the sentence that a session ended with on the page before, once. */
export function takeLastWord(): string | null {
  const sentence = lastWord.read();
  lastWord.clear();
  return sentence;
}

/** Whose tab this is: what it keeps for itself is nobody else's. */
const tabOwner = storedValue<string>(
  "tab-owner",
  (stored) => (typeof stored === "string" ? stored : null),
  "for-this-tab",
);

/**
 * Make this tab the one of whoever is signed in now; what it kept for anybody else goes.
 *
 * Asked at the start too: a tab that was put to sleep wakes up after the change of members.
 */
export function claimTab(): void {
  const id = session.read()?.id ?? null;
  const owner = tabOwner.read();
  if (owner !== null && owner !== id) {
    forgetTab();
    clearToasts();
  }
  if (id !== null) {
    tabOwner.write(id);
  }
}

/** A signal that fires when the member who is signed in now is so no more. */
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

/** The signed-in member, for everything that is drawn inside the guarded shell. */
export function useMember(): SessionUser {
  const member = useSession();
  if (member === null) {
    throw new Error("useMember is only for screens of signed-in members");
  }
  return member;
}
