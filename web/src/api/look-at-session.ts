import { get } from "@/api/client";

/** Ask for anything: a session that has ended leads to the sign-in, on an idle screen too. */
export function checkSession(): void {
  void get("/api/v1/notifications/unread").catch(() => undefined);
}
