import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { ToastRegion } from "@/components/toast-region";
import { useNetwork } from "@/lib/device/online";
import { dropErrorToasts } from "@/lib/ui/toasts";

/** The toasts of the current screen: its errors end with it, and when the network returns. */
export function ScreenToasts() {
  const { pathname } = useLocation();
  const hasNetwork = useNetwork();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what ends the errors
  useEffect(dropErrorToasts, [pathname]);
  useEffect(() => (hasNetwork ? dropErrorToasts() : undefined), [hasNetwork]);
  return <ToastRegion />;
}
