import { queryOptions } from "@tanstack/react-query";
import { get, post, remove } from "@/api/client";
import { keys } from "@/api/query-keys";
import { Cancelled, isDecided } from "@/lib/failures";
import {
  endSubscription,
  isTurnedOnBy,
  type PushState,
  readPushState,
  readSubscription,
  subscribeToPush,
} from "@/lib/push";
import { session } from "@/lib/session";

/** How this browser stands, and the key it subscribes with; null where nothing is pushed. */
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
 * Turn notifications on in this browser; false when the browser was not allowed to.
 *
 * What the server has not taken is ended again: nobody would push there, or nobody knows.
 */
export async function turnPushOn(userId: string, publicKey: string): Promise<boolean> {
  const subscription = await subscribeToPush(userId, publicKey);
  if (subscription === null) {
    return false;
  }
  try {
    if (session.read()?.id !== userId) {
      throw new Cancelled(); // somebody else signed in while the browser asked
    }
    await post("/api/v1/push/subscriptions", subscription);
  } catch (error) {
    await endSubscription();
    throw error;
  }
  return true;
}

/** Turn notifications off in this browser; a server that is not told finds its address gone. */
export async function turnPushOff(): Promise<void> {
  const told = forgetAtServer().catch(() => undefined);
  await endSubscription();
  await told;
}

async function forgetAtServer(): Promise<void> {
  const { data } = await get("/api/v1/push/subscriptions");
  for (const { id } of data.filter(({ current }) => current)) {
    await remove("/api/v1/push/subscriptions/{subscription_id}", null, {
      inPath: { subscription_id: id },
    });
  }
}

/**
 * Tell the server again where this browser is, which may have moved.
 *
 * Only for the member who turned notifications on here: whatever else is left of a subscription is
 * another member's, and ends. So does one that the server does not take any more.
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
