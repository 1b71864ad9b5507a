import type PaystackPop from "@paystack/inline-js";
import type { PreparedFunding } from "@/api/wire";
import { openOverlay, suspendDialogs } from "@/lib/ui/overlays";

/** How the provider's checkout ended, as seen by the browser: hints, never proof. */
export type CheckoutOutcome =
  | { kind: "paid" }
  | { kind: "transfer-pending" }
  | { kind: "cancelled" }
  | { kind: "refused"; message: string }
  | { kind: "unreachable" }
  /** The member has signed out; a later payment is not reported here. */
  | { kind: "abandoned" };

type CheckoutEndpoints = NonNullable<PreparedFunding["checkout"]>;

interface CheckoutSession {
  accessCode: string;
  /** The provider's addresses, if not the official ones. */
  endpoints: CheckoutEndpoints | null;
  /** Removes the frame when the member who opened it is no longer signed in. */
  signal: AbortSignal;
}

declare global {
  var __PAYSTACK_ENDPOINTS__: CheckoutEndpoints | undefined;
}

const LOAD_TIMEOUT_MS = 10_000;

let popup: Promise<PaystackPop> | null = null;

/**
 * The page's one instance of the provider's library, loaded on first use.
 *
 * Two instances would both react to every frame. The addresses have to be set before the library
 * runs, since it builds its frames at once.
 */
function providerPopup(endpoints: CheckoutEndpoints | null): Promise<PaystackPop> {
  if (endpoints !== null) {
    globalThis.__PAYSTACK_ENDPOINTS__ = endpoints;
  }
  popup ??= import("@paystack/inline-js").then(({ default: Popup }) => new Popup());
  popup.catch(() => {
    popup = null;
  });
  return popup;
}

/**
 * Open the provider's checkout over the page and wait for how it ends.
 *
 * A frame that is blocked or unreachable fires no event at all, so one that has not loaded after
 * ten seconds is removed and counts as unreachable. So does a library that failed to load. Open
 * dialogs are suspended while the frame is there: it is part of the page, which they make inert.
 * Back cancels, as the frame's own button does.
 */
export async function openCheckout(checkout: CheckoutSession): Promise<CheckoutOutcome> {
  let provider: PaystackPop;
  try {
    provider = await providerPopup(checkout.endpoints);
  } catch {
    return { kind: "unreachable" };
  }
  if (checkout.signal.aborted) {
    return { kind: "abandoned" };
  }
  const resumeDialogs = suspendDialogs();
  try {
    return await pay(provider, checkout);
  } finally {
    resumeDialogs();
  }
}

function pay(
  provider: PaystackPop,
  { accessCode, signal }: CheckoutSession,
): Promise<CheckoutOutcome> {
  return new Promise((resolve) => {
    const end = (outcome: CheckoutOutcome) => {
      clearTimeout(noLoad);
      removeOverlay();
      signal.removeEventListener("abort", abandon);
      resolve(outcome);
    };
    const abandon = () => {
      end({ kind: "abandoned" });
      provider.cancelTransaction();
    };
    signal.addEventListener("abort", abandon);
    const removeOverlay = openOverlay(() => {
      end({ kind: "cancelled" });
      provider.cancelTransaction();
    });
    const noLoad = setTimeout(() => {
      end({ kind: "unreachable" });
      provider.cancelTransaction();
    }, LOAD_TIMEOUT_MS);
    provider.newTransaction({
      accessCode,
      onLoad: () => clearTimeout(noLoad),
      onSuccess: () => end({ kind: "paid" }),
      // A pending transfer is first reported as a cancel, in the same task.
      onCancel: () => queueMicrotask(() => end({ kind: "cancelled" })),
      onBankTransferConfirmationPending: () => end({ kind: "transfer-pending" }),
      onError: ({ message }) => {
        end({ kind: "refused", message });
        provider.cancelTransaction();
      },
    });
  });
}
