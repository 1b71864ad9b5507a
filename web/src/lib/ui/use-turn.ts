import { useEffect, useState, useSyncExternalStore } from "react";
import { subscribeToDialogs, topDialog } from "@/lib/ui/dialog-stack";

/** Wait until no other dialog is open, so that a payment is not interrupted. */
export function useTurn(isWanted: boolean): boolean {
  const isFree = useSyncExternalStore(subscribeToDialogs, () => topDialog() === null);
  const [hasTurn, setTurn] = useState(false);
  useEffect(() => setTurn((had) => isWanted && (had || isFree)), [isWanted, isFree]);
  return hasTurn;
}
