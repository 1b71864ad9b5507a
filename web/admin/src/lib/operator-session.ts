import { OPERATOR_SESSION, type OperatorSession } from "@/lib/operator-tab";
import { isRecord, storedValue } from "@/lib/storage";

/** The token of the back office: of this tab alone, and gone with it. */
export const operatorSession = storedValue<OperatorSession>(
  OPERATOR_SESSION,
  (stored) =>
    isRecord(stored) && typeof stored["token"] === "string" ? { token: stored["token"] } : null,
  "for-this-tab",
);
