import { Cancelled } from "@/lib/live/failures";

interface CodeRequest {
  enter: () => void;
  giveUp: (reason: Cancelled) => void;
}

let request: CodeRequest | null = null;
let answer: Promise<void> | null = null;
const listeners = new Set<() => void>();

function change(next: CodeRequest | null): void {
  request = next;
  answer = next === null ? null : answer;
  for (const listener of listeners) {
    listener();
  }
}

/**
 * Wait until the operator has entered a fresh code; concurrent callers share one prompt.
 *
 * Throws:
 *   Cancelled: the operator closed the prompt.
 */
export function requestFreshCode(): Promise<void> {
  if (answer === null) {
    answer = new Promise<void>((enter, giveUp) => change({ enter, giveUp }));
  }
  return answer;
}

/** Resume the waiting callers. */
export function freshCodeEntered(): void {
  const { enter } = request ?? {};
  change(null);
  enter?.();
}

/** Reject the waiting callers. */
export function freshCodeRefused(): void {
  const { giveUp } = request ?? {};
  change(null);
  giveUp?.(new Cancelled());
}

export function isRequestingFreshCode(): boolean {
  return request !== null;
}

export function subscribeToFreshCode(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
