import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isDecided, NoAnswer, neverSent, Refusal } from "@/lib/failures";
import { showFailure } from "@/lib/tell-failure";
import { showToast } from "@/lib/toasts";
import type { Writing } from "~/api/calls";
import { type Outcome, perform, type Wish } from "~/api/client";
import { markAllStale } from "~/api/queries";

const CONFLICT = 409;

interface Steps<C extends Writing> {
  onDone?: ((outcome: Outcome<C>) => void) | undefined;
  /** Take a failure that has a face of its own; true when it has. */
  onFailure?: (error: unknown) => boolean;
}

export interface Wishing<C extends Writing> {
  send: (wish: Omit<Wish<C>, "key">) => void;
  isPending: boolean;
}

/** The keys of wishes that nobody knows the end of, by what was wished. */
const undecided = new Map<string, string>();

/**
 * Let the server do something, once for each wish.
 *
 * A wish that nobody knows the end of keeps its key for as long as the page is open: pressed
 * again, in this dialog or in another, it is sent as the same wish.
 */
export function useWish<C extends Writing>(call: C, steps: Steps<C> = {}): Wishing<C> {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (wish: Omit<Wish<C>, "key">) => {
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
        void markAllStale(queryClient); // what is in sight may not be what is there
      }
      if (steps.onFailure?.(error) !== true) {
        showFailure(error);
      }
    },
  });
  return { send: (wish) => mutate(wish), isPending };
}

/** What was wished, so that another wish is told from the same one. */
function fingerprintOf(call: Writing, wish: object): string {
  return JSON.stringify([call, wish], (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
}
