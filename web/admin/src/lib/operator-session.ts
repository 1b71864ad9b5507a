import { OPERATOR_SESSION, type OperatorSession } from "@/lib/operator-tab";
import { isRecord, storedValue } from "@/lib/storage";

/** The token of the back office: of this tab alone, and gone with it. */
export const operatorSession = storedValue<OperatorSession>(
  OPERATOR_SESSION,
  (stored) =>
    isRecord(stored) && typeof stored["token"] === "string" ? { token: stored["token"] } : null,
  "for-this-tab",
);

let hasExpired = false;

/** The server takes the token no more: what the operator has begun waits for them. */
export function expireSession(): void {
  hasExpired = true;
  operatorSession.clear();
}

/** The operator goes: nothing of theirs stays. */
export function leaveSession(): void {
  hasExpired = false;
  operatorSession.clear();
}

/** Whether the session that is over has ended by itself. */
export function isExpired(): boolean {
  return hasExpired && operatorSession.read() === null;
}
