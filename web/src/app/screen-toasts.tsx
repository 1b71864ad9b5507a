import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { ToastRegion } from "@/components/toast-region";
import { dropErrorToasts } from "@/lib/toasts";

/** The toasts of the screen that shows: its errors end with it. */
export function ScreenToasts() {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what ends the errors
  useEffect(dropErrorToasts, [pathname]);
  return <ToastRegion />;
}
