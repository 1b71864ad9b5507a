import { get } from "@/api/client";

/** Make any authenticated call: an expired session leads to the sign-in even on an idle screen. */
export function checkSession(): void {
  void get("/api/v1/notifications/unread").catch(() => undefined);
}
