import "@/components/toast-region.css";
import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { AlertIcon, CrossIcon, DoneIcon, InfoIcon } from "@/components/icons";
import { subscribeToOverlays, topDialog } from "@/lib/ui/overlays";
import {
  dismissToast,
  pauseToasts,
  readToasts,
  releaseToasts,
  subscribeToToasts,
  type Toast,
  type ToastKind,
} from "@/lib/ui/toasts";

const ICONS: Record<ToastKind, typeof InfoIcon> = {
  error: AlertIcon,
  success: DoneIcon,
  info: InfoIcon,
};

/**
 * The toasts, top right below the header.
 *
 * All but the top open dialog is inert: inside it they stand above its header, in the flow of its
 * content, so that they cover none of its controls.
 */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToToasts, readToasts);
  const dialog = useSyncExternalStore(subscribeToOverlays, topDialog);
  return createPortal(
    <section
      className="toasts"
      aria-label="Notifications"
      onPointerEnter={pauseToasts}
      onPointerLeave={releaseToasts}
      onFocus={pauseToasts}
      onBlur={releaseToasts}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>,
    dialog ?? document.body,
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const Icon = ICONS[toast.kind];
  return (
    <div className={`toast toast-${toast.kind}`} role={toast.kind === "error" ? "alert" : "status"}>
      <Icon />
      <p>{toast.text}</p>
      <button
        type="button"
        className="icon-button"
        aria-label="Dismiss"
        onClick={() => dismissToast(toast.id)}
      >
        <CrossIcon />
      </button>
    </div>
  );
}
