import { post } from "@/api/client";
import { endSession } from "@/lib/session/session";

/**
 * Sign out locally at once and notify the server in the background; the guard shows the sign-in
 * when all data is removed.
 */
export function signOut(): void {
  post("/api/v1/sign-out", null, { keepalive: true }).catch(() => undefined);
  void endSession("left");
}
