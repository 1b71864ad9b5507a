import { OPERATOR_SESSION, type OperatorSession } from "@/lib/device/operator-tab";
import { isRecord, storedValue } from "@/lib/device/storage";

/** The back office's token, which lives in this tab only. */
export const operatorSession = storedValue<OperatorSession>(
  OPERATOR_SESSION,
  (stored) =>
    isRecord(stored) && typeof stored["token"] === "string" ? { token: stored["token"] } : null,
  "for-this-tab",
);

let hasExpired = false;

/** The token was rejected: the operator's unfinished work is kept. */
export function expireSession(): void {
  hasExpired = true;
  operatorSession.clear();
}

/** The operator signed out: none of their data is kept. */
export function leaveSession(): void {
  hasExpired = false;
  operatorSession.clear();
}

/** Whether the last session expired. */
export function isExpired(): boolean {
  return hasExpired && operatorSession.read() === null;
}
