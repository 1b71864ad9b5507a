import { useCallback, useEffect, useState } from "react";
import type { Ending } from "@/features/wallet/use-confirmation";
import type { Purchase } from "@/lib/session/purchase";

/**
 * The purchase that the member agreed to with a funding, while the requesting screen is mounted.
 *
 * It lives in memory only: after a reload, on another screen or for another member nothing is
 * bought, and only the money is there.
 */
export interface Agreement {
  /** The agreed purchase, or null. */
  content: string | null;
  /** The awaited funding; null until it is prepared, and after it was credited. */
  reference: string | null;
  isCredited: boolean;
  begin: (content: string | null) => void;
  onPrepared: (reference: string) => void;
  onEnded: (reference: string, ending: Ending) => void;
  withdraw: () => void;
}

interface Agreed {
  content: string;
  reference: string | null;
  isCredited: boolean;
}

export function useAgreement(): Agreement {
  const [agreed, setAgreed] = useState<Agreed | null>(null);
  const onEnded = useCallback((reference: string, ending: Ending) => {
    setAgreed((current) => {
      if (current?.reference !== reference) {
        return current;
      }
      return ending === "credited" ? { ...current, reference: null, isCredited: true } : null;
    });
  }, []);
  const withdraw = useCallback(() => setAgreed(null), []);
  return {
    content: agreed?.content ?? null,
    reference: agreed?.reference ?? null,
    isCredited: agreed?.isCredited ?? false,
    begin: (content) =>
      setAgreed(content === null ? null : { content, reference: null, isCredited: false }),
    onPrepared: (reference) => setAgreed((current) => current && { ...current, reference }),
    onEnded,
    withdraw,
  };
}

/** Send `purchase` once the money is there; drop the agreement if it has changed. */
export function useKeptAgreement(agreement: Agreement, purchase: Purchase): void {
  const { content, isCredited, withdraw } = agreement;
  useEffect(() => {
    const isSame = content === purchase.content;
    if (content !== null && (!isSame || isCredited)) {
      withdraw();
      if (isSame && purchase.isReady()) {
        purchase.send();
      }
    }
  }, [content, isCredited, withdraw, purchase]);
}
