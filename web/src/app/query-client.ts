import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, messageOf } from "@/lib/api-error";
import { showToast } from "@/lib/toasts";

const FRESH_FOR_MS = 30_000;
const TRIES_AGAIN = 1;

/** Server state: a refusal is not asked again, a lost connection once. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const told = query.meta?.["errorToast"];
        if (told) {
          showToast("error", typeof told === "string" ? told : messageOf(error));
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR_MS,
        retry: (failures, error) => failures < TRIES_AGAIN && !(error instanceof ApiError),
      },
    },
  });
}
