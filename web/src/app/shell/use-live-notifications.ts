import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/api/query-keys";
import { invalidateAfter, type Mutation } from "@/api/stale";
import { setUnread } from "@/api/unread-notifications";
import { type Group, groupOf } from "@/features/notifications/rules";
import { isRecord } from "@/lib/device/storage";
import { listenToPaymentChannel } from "@/lib/live/payment-channel";
import { numberIn, textIn } from "@/lib/live/socket-events";
import { useMember } from "@/lib/session/session";

/** A fetch this recent is as new as a connection that was just made. */
const FRESH_FOR_MS = 10_000;

const MUTATIONS: Record<Group, Mutation> = {
  money: "told-of-money",
  orders: "told-of-an-order",
  plans: "told-of-a-plan",
  community: "told",
  games: "told",
  matches: "told",
};

/** Keep the bell, the open list and the data behind notifications up to date by the socket. */
export function useLiveNotifications(): void {
  const { id } = useMember();
  const queryClient = useQueryClient();
  useEffect(() => {
    const stopListening = [
      listenToPaymentChannel(
        "notification",
        (event) => void onNotification(queryClient, id, event),
      ),
      listenToPaymentChannel("connect", () => catchUp(queryClient, id)),
    ];
    return () => {
      for (const stop of stopListening) {
        stop();
      }
    };
  }, [queryClient, id]);
}

async function onNotification(
  queryClient: QueryClient,
  userId: string,
  event: unknown,
): Promise<void> {
  if (!isRecord(event)) {
    return;
  }
  const kind = isRecord(event["notification"]) ? textIn(event["notification"], "kind") : "";
  await setUnread(queryClient, userId, numberIn(event, "unread"));
  await invalidateAfter(queryClient, MUTATIONS[groupOf(kind)], userId);
}

/** Fetch the notifications missed while disconnected. */
function catchUp(queryClient: QueryClient, userId: string): void {
  const queryKey = keys.unreadNotifications(userId);
  const askedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
  if (askedAt > 0 && Date.now() - askedAt > FRESH_FOR_MS) {
    void queryClient.invalidateQueries({ queryKey });
    void invalidateAfter(queryClient, "told", userId);
  }
}
