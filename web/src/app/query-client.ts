import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { profileKey, refreshIfNotFound } from "@/api/profile";
import { ApiError, messageOf } from "@/lib/api-error";
import { showToast } from "@/lib/toasts";

const FRESH_FOR_MS = 30_000;
const TRIES_AGAIN = 1;

const [PROFILE] = profileKey("");

/** Server state: a refusal is not asked again, a lost connection once. */
export function createQueryClient(): QueryClient {
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const told = query.meta?.["errorToast"];
        if (told) {
          showToast("error", typeof told === "string" ? told : messageOf(error));
        }
        if (query.queryKey[0] !== PROFILE) {
          refreshIfNotFound(queryClient, error);
        }
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => refreshIfNotFound(queryClient, error),
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR_MS,
        retry: (failures, error) => failures < TRIES_AGAIN && !(error instanceof ApiError),
      },
    },
  });
  return queryClient;
}
