import { MutationCache, onlineManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { isReachable, subscribeToReach } from "@/lib/device/online";
import { Cancelled, isOffline, messageOf, NoAnswer } from "@/lib/live/failures";
import { dropErrorToasts, showToast } from "@/lib/ui/toasts";

const FRESH_FOR_MS = 30_000;
const TRIES_AGAIN = 1;
/**
 * Mutations, with passwords and files, are dropped once their screen is gone.
 *
 * Not 0: the library checks a pending one at this interval.
 */
const SENT_KEPT_MS = 1000;

// One signal for reachability: failed queries are refetched on return.
onlineManager.setEventListener((setOnline) => {
  setOnline(isReachable()); // a page may be loaded offline
  return subscribeToReach(() => setOnline(isReachable()));
});

/**
 * The query client: a refusal is not retried, a lost connection once.
 *
 * Offline, a call fails at once instead of pausing; queries are refetched when the server is
 * reachable again, mutations are never repeated.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const errorToast = query.meta?.["errorToast"];
        // Offline, the banner covers all of them; loaded data stays visible, with its age.
        const isSeen = error instanceof NoAnswer && query.state.data !== undefined;
        if (errorToast && !(error instanceof Cancelled) && !isOffline() && !isSeen) {
          showToast("error", typeof errorToast === "string" ? errorToast : messageOf(error));
        }
      },
    }),
    // A new try ends earlier errors.
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
