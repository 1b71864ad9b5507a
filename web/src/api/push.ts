import { queryOptions } from "@tanstack/react-query";
import { get, post, remove } from "@/api/client";
import { keys } from "@/api/query-keys";
import {
  endSubscription,
  isTurnedOnBy,
  type PushState,
  readPushState,
  readSubscription,
  subscribeToPush,
} from "@/lib/device/push";
import { Cancelled, isDecided } from "@/lib/live/failures";
import { session } from "@/lib/session/session";

/** This browser's push state, and the key to subscribe with; null if the server does not push. */
export interface PushOffer {
  publicKey: string;
  state: PushState;
}

export function pushOfferQuery(userId: string) {
  return queryOptions({
    queryKey: keys.pushOffer(userId),
    queryFn: async ({ signal }): Promise<PushOffer | null> => {
      const { publicKey } = (await get("/api/v1/push/key", { signal })).data;
      return publicKey === null ? null : { publicKey, state: await readPushState(userId) };
    },
  });
}

/**
 * Turn notifications on in this browser; false if the browser denied permission.
 *
 * If the server has not accepted the subscription, or its outcome is unknown, it is ended again.
 */
export async function turnPushOn(userId: string, publicKey: string): Promise<boolean> {
  const subscription = await subscribeToPush(userId, publicKey);
  if (subscription === null) {
    return false;
  }
  try {
    if (session.read()?.id !== userId) {
      throw new Cancelled(); // another member signed in during the browser's prompt
    }
    await post("/api/v1/push/subscriptions", subscription);
  } catch (error) {
    await endSubscription();
    throw error;
  }
  return true;
}

/**
 * Turn notifications off in this browser; if the server is not notified, it finds the address gone.
 */
export async function turnPushOff(): Promise<void> {
  const deletion = deleteAtServer().catch(() => undefined);
  await endSubscription();
  await deletion;
}

async function deleteAtServer(): Promise<void> {
  const { data } = await get("/api/v1/push/subscriptions");
  for (const { id } of data.filter(({ current }) => current)) {
    await remove("/api/v1/push/subscriptions/{subscription_id}", null, {
      inPath: { subscription_id: id },
    });
  }
}

/**
 * Send this browser's current subscription to the server again, which may have moved.
 *
 * Only for the member who turned notifications on here: any other subscription left in the browser
 * belongs to another member and is ended. So is one that the server no longer accepts.
 */
export async function renewPush(): Promise<void> {
  const subscription = await readSubscription();
  const userId = session.read()?.id;
  if (subscription === null || userId === undefined) {
    return;
  }
  if (!isTurnedOnBy(userId)) {
    await endSubscription();
    return;
  }
  try {
    await post("/api/v1/push/subscriptions", subscription);
  } catch (error) {
    if (isDecided(error)) {
      await endSubscription();
    }
  }
}
