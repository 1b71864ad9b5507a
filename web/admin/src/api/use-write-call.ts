import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isDecided, NoAnswer, neverSent, Refusal } from "@/lib/live/failures";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";
import type { Writing } from "~/api/calls";
import { type Outcome, perform, type WriteRequest } from "~/api/client";
import { markAllStale } from "~/api/queries";

const CONFLICT = 409;

interface Steps<C extends Writing> {
  onDone?: ((outcome: Outcome<C>) => void) | undefined;
  /** Handle a failure that has its own dialog; true if it was handled. */
  onFailure?: (error: unknown) => boolean;
}

export interface WriteState<C extends Writing> {
  send: (request: Omit<WriteRequest<C>, "key">) => void;
  isPending: boolean;
}

/** The idempotency keys of requests with an unknown outcome, by content. */
const undecided = new Map<string, string>();

/**
 * Make a writing call; sent again while its outcome is unknown, it counts as the same request.
 *
 * Throws:
 *   Refusal, NoAnswer, Cancelled: as `perform`.
 */
export async function performOnce<C extends Writing>(
  call: C,
  request: Omit<WriteRequest<C>, "key">,
): Promise<Outcome<C>> {
  const fingerprint = fingerprintOf(call, request);
  const key = undecided.get(fingerprint) ?? crypto.randomUUID();
  undecided.set(fingerprint, key);
  try {
    const outcome = await perform(call, { ...request, key });
    undecided.delete(fingerprint);
    return outcome;
  } catch (error) {
    if (isDecided(error) || neverSent(error)) {
      undecided.delete(fingerprint);
    }
    throw error;
  }
}

/**
 * Make a writing call, once per content.
 *
 * A request with an unknown outcome keeps its key while the page is open: sent again from this
 * dialog or another, it counts as the same request.
 */
export function useWriteCall<C extends Writing>(call: C, steps: Steps<C> = {}): WriteState<C> {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (request: Omit<WriteRequest<C>, "key">) => performOnce(call, request),
    onSuccess: async (outcome) => {
      showToast(outcome.isProposed ? "info" : "success", outcome.message);
      steps.onDone?.(outcome);
      await markAllStale(queryClient);
    },
    onError: (error) => {
      const isConflict = error instanceof Refusal && error.status === CONFLICT;
      if (isConflict || error instanceof NoAnswer) {
        void markAllStale(queryClient); // the screen may be out of date
      }
      if (steps.onFailure?.(error) !== true) {
        showFailure(error);
      }
    },
  });
  return { send: (request) => mutate(request), isPending };
}

/** The content of a request, which distinguishes it from others. */
function fingerprintOf(call: Writing, request: object): string {
  return JSON.stringify([call, request], (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
}
