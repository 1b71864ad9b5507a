import { queryOptions } from "@tanstack/react-query";
import { get, post, remove } from "@/api/client";
import { keys } from "@/api/query-keys";
import {
  endSubscription,
  type PushState,
  readPushState,
  readSubscription,
  subscribeToPush,
} from "@/lib/push";

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
      return publicKey === null ? null : { publicKey, state: await readPushState() };
    },
  });
}

/** Turn notifications on in this browser; false when the browser was not allowed to. */
export async function turnPushOn(publicKey: string): Promise<boolean> {
  const subscription = await subscribeToPush(publicKey);
  if (subscription === null) {
    return false;
  }
  await post("/api/v1/push/subscriptions", subscription);
  return true;
}

/** Turn notifications off in this browser. */
export async function turnPushOff(): Promise<void> {
  const subscription = await readSubscription();
  if (subscription !== null) {
    const { id } = (await post("/api/v1/push/subscriptions", subscription)).data;
    await remove("/api/v1/push/subscriptions/{subscription_id}", null, {
      inPath: { subscription_id: id },
    });
  }
  await endSubscription();
}

/** Tell the server again where this browser is, which may have moved or been another member's. */
export async function renewPush(): Promise<void> {
  if ((await readPushState()) !== "on") {
    return;
  }
  const subscription = await readSubscription();
  if (subscription !== null) {
    await post("/api/v1/push/subscriptions", subscription);
  }
}
