import { MutationCache, onlineManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { Cancelled, isOffline, messageOf, NoAnswer } from "@/lib/failures";
import { isReachable, subscribeToReach } from "@/lib/online";
import { dropErrorToasts, showToast } from "@/lib/toasts";

const FRESH_FOR_MS = 30_000;
const TRIES_AGAIN = 1;
/**
 * What was sent, passwords and files included, is kept no longer once its screen is gone.
 *
 * Not 0: the library looks that often whether one that is still on its way has ended.
 */
const SENT_KEPT_MS = 1000;

// One word on whether the server can be reached: what reads is asked anew when it is again.
onlineManager.setEventListener((setOnline) => subscribeToReach(() => setOnline(isReachable())));

/**
 * Server state: a refusal is not asked again, a lost connection once.
 *
 * Without a network a call fails at once instead of waiting unseen; what only reads is asked anew
 * when the server can be reached again, what writes never is.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const told = query.meta?.["errorToast"];
        // Without a network the banner says it once for all of them; what was read before stays
        // in sight, with its age beside it.
        const isSeen = error instanceof NoAnswer && query.state.data !== undefined;
        if (told && !(error instanceof Cancelled) && !isOffline() && !isSeen) {
          showToast("error", typeof told === "string" ? told : messageOf(error));
        }
      },
    }),
    // A new try ends the errors of those before it.
    mutationCache: new MutationCache({ onMutate: () => dropErrorToasts() }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR_MS,
        networkMode: "always",
        retry: (failures, error) => failures < TRIES_AGAIN && error instanceof NoAnswer,
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always", gcTime: SENT_KEPT_MS },
    },
  });
}
