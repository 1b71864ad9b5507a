import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { isDecided, Refusal } from "@/lib/failures";
import { tellFailure } from "@/lib/tell-failure";
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

/**
 * Let the server do something, once for each wish.
 *
 * A wish that nobody knows the end of keeps its key: pressed again, it is sent as the same wish.
 */
export function useWish<C extends Writing>(call: C, steps: Steps<C> = {}): Wishing<C> {
  const queryClient = useQueryClient();
  const undecided = useRef<{ wish: string; key: string } | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (wish: Omit<Wish<C>, "key">) => {
      const written = fingerprintOf(wish);
      if (undecided.current?.wish !== written) {
        undecided.current = { wish: written, key: crypto.randomUUID() };
      }
      return perform(call, { ...wish, key: undecided.current.key });
    },
    onSuccess: async (outcome) => {
      undecided.current = null;
      showToast(outcome.isProposed ? "info" : "success", outcome.message);
      steps.onDone?.(outcome);
      await markAllStale(queryClient);
    },
    onError: (error) => {
      if (isDecided(error)) {
        undecided.current = null;
      }
      if (error instanceof Refusal && error.status === CONFLICT) {
        void markAllStale(queryClient); // what is in sight is not what is there
      }
      if (steps.onFailure?.(error) !== true) {
        tellFailure(error);
      }
    },
  });
  return { send: (wish) => mutate(wish), isPending };
}

/** What was wished, so that another wish is told from the same one. */
function fingerprintOf(wish: object): string {
  return JSON.stringify(wish, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
}
