import { useSyncExternalStore } from "react";
import { isRecord, storedValue } from "@/lib/storage";

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
