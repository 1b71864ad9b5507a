import { useEffect, useSyncExternalStore } from "react";
import { checkSession } from "@/api/check-session";
import { holdPaymentChannel } from "@/lib/live/payment-channel";
import { useMember } from "@/lib/session/session";

/** Hold one `/payment` connection for all screens while the tab is visible. */
export function usePaymentChannel(): void {
  const { id, userToken } = useMember();
  const isVisible = useSyncExternalStore(subscribeToVisibility, readVisibility);
  useEffect(
    () => (isVisible ? holdPaymentChannel(id, userToken, checkSession) : undefined),
    [isVisible, id, userToken],
  );
}

function subscribeToVisibility(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

function readVisibility(): boolean {
  return document.visibilityState === "visible";
}
