import type { CodeChannel } from "@/features/auth/api";
import { isRecord } from "@/lib/device/storage";

/** The state of a link to a form whose email is already known; an address is never in a URL. */
export function withEmail(email: string | null | undefined): { email: string } | null {
  const known = email?.trim();
  return known ? { email: known } : null;
}

/** The email in a history entry's state; empty if there is none. */
export function emailIn(state: unknown): string {
  const email = isRecord(state) ? state["email"] : undefined;
  return typeof email === "string" ? email : "";
}

/** The channel of the code in a history entry's state. */
export function channelIn(state: unknown): CodeChannel {
  return isRecord(state) && state["channel"] === "sms" ? "sms" : "email";
}
