import { useCallback, useEffect, useState } from "react";
import { type PendingSignUp, pendingSignUp } from "@/features/auth/api";

interface Pending {
  /** Undefined until the server has responded; null once the sign-up has ended. */
  pending: PendingSignUp | null | undefined;
  /** Read it again, such as after a lost response. */
  refresh: () => Promise<PendingSignUp | null | undefined>;
  /** Show what a response has just said. */
  update: (pending: PendingSignUp) => void;
}

/**
 * The sign-up that waits for its code, read again whenever its tab is shown: another tab may have
 * activated it. A failed call changes nothing.
 */
export function usePendingSignUp(userId: string): Pending {
  const [pending, setPending] = useState<PendingSignUp | null | undefined>(undefined);
  const refresh = useCallback(
    async (signal?: AbortSignal) => {
      try {
        const read = await pendingSignUp(userId, signal);
        if (signal?.aborted !== true) {
          setPending(read);
        }
        return read;
      } catch {
        return undefined;
      }
    },
    [userId],
  );
  useEffect(() => {
    const leaving = new AbortController();
    const onShown = () => {
      if (document.visibilityState === "visible") {
        void refresh(leaving.signal);
      }
    };
    onShown();
    document.addEventListener("visibilitychange", onShown, { signal: leaving.signal });
    return () => leaving.abort();
  }, [refresh]);
  return { pending, refresh: useCallback(() => refresh(), [refresh]), update: setPending };
}
