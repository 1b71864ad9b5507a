import { hasNoNetwork } from "@/lib/device/online";
import { messageOf, NEEDS_A_CONNECTION, NoAnswer } from "@/lib/live/failures";

/** Failures without a network: they stay so until the next try ends. */
const unreached = new WeakSet<Error>();

/** Whether a call failed because there is no network. */
export function isUnreached(error: unknown): boolean {
  if (error instanceof NoAnswer && hasNoNetwork()) {
    unreached.add(error);
  }
  return error instanceof NoAnswer && unreached.has(error);
}

/** Shown in place of data that could not be loaded. */
export function unreadMessageOf(error: unknown): string {
  return isUnreached(error) ? NEEDS_A_CONNECTION : messageOf(error);
}
