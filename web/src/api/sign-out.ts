import { post } from "@/api/client";
import { endSession } from "@/lib/session";

/** Forget the member at once, and tell the server behind it; the guard shows the sign-in when nothing is left. */
export function signOut(): void {
  post("/api/v1/sign-out", null, { keepalive: true }).catch(() => undefined);
  void endSession("left");
}
