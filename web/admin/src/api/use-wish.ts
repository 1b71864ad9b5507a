import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isDecided, NoAnswer, neverSent, Refusal } from "@/lib/failures";
import { showFailure } from "@/lib/show-failure";
import { showToast } from "@/lib/toasts";
import type { Writing } from "~/api/calls";
import { type Outcome, perform, type WriteRequest } from "~/api/client";
import { markAllStale } from "~/api/queries";

const CONFLICT = 409;

interface Steps<C extends Writing> {
  onDone?: ((outcome: Outcome<C>) => void) | undefined;
  /** Handle a failure that has its own dialog; true if it was handled. */
  onFailure?: (error: unknown) => boolean;
}

export interface WriteOptions<C extends Writing> {
  send: (wish: Omit<WriteRequest<C>, "key">) => void;
  isPending: boolean;
}

/** The idempotency keys of requests with an unknown outcome, by content. */
const undecided = new Map<string, string>();

/**
 * Make a writing call, once per content.
 *
 * A request with an unknown outcome keeps its key while the page is open: sent again from this
 * dialog or another, it counts as the same request.
 */
export function useWish<C extends Writing>(call: C, steps: Steps<C> = {}): WriteOptions<C> {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (wish: Omit<WriteRequest<C>, "key">) => {
      const written = fingerprintOf(call, wish);
      const key = undecided.get(written) ?? crypto.randomUUID();
      undecided.set(written, key);
      return perform(call, { ...wish, key });
    },
    onSuccess: async (outcome, wish) => {
      undecided.delete(fingerprintOf(call, wish));
      showToast(outcome.isProposed ? "info" : "success", outcome.message);
      steps.onDone?.(outcome);
      await markAllStale(queryClient);
    },
    onError: (error, wish) => {
      if (isDecided(error) || neverSent(error)) {
        undecided.delete(fingerprintOf(call, wish));
      }
      const isConflict = error instanceof Refusal && error.status === CONFLICT;
      if (isConflict || error instanceof NoAnswer) {
        void markAllStale(queryClient); // the screen may be out of date
      }
      if (steps.onFailure?.(error) !== true) {
        showFailure(error);
      }
    },
  });
  return { send: (wish) => mutate(wish), isPending };
}

/** The content of a request, which distinguishes it from others. */
function fingerprintOf(call: Writing, wish: object): string {
  return JSON.stringify([call, wish], (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
}
