import { useEffect, useState, useSyncExternalStore } from "react";
import { subscribeToOverlays, topDialog } from "@/lib/ui/overlays";

/** Wait until no other dialog is open, so that a payment is not interrupted. */
export function useTurn(isWanted: boolean): boolean {
  const isFree = useSyncExternalStore(subscribeToOverlays, () => topDialog() === null);
  const [hasTurn, setTurn] = useState(false);
  useEffect(() => setTurn((had) => isWanted && (had || isFree)), [isWanted, isFree]);
  return hasTurn;
}
