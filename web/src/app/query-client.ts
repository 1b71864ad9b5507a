import { QueryCache, QueryClient } from "@tanstack/react-query";
import { Cancelled, isOffline, messageOf, NoAnswer } from "@/lib/failures";
import { showToast } from "@/lib/toasts";

const FRESH_FOR_MS = 30_000;
const TRIES_AGAIN = 1;

/**
 * Server state: a refusal is not asked again, a lost connection once.
 *
 * Without a network a call fails at once instead of waiting unseen; what only reads is asked anew
 * when the network is back, what writes never is.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const told = query.meta?.["errorToast"];
        // Without a network the banner says it once for all of them.
        if (told && !(error instanceof Cancelled) && !isOffline()) {
          showToast("error", typeof told === "string" ? told : messageOf(error));
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR_MS,
        networkMode: "always",
        retry: (failures, error) => failures < TRIES_AGAIN && error instanceof NoAnswer,
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always", gcTime: 0 },
    },
  });
}
