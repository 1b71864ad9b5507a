import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { invalidateAfter } from "@/api/stale";
import type { PreparedFunding } from "@/api/wire";
import { cancelFunding, prepareFunding } from "@/features/wallet/api";
import { openCheckout } from "@/features/wallet/checkout-provider";
import {
  clearFunding,
  enterPhase,
  type PendingFunding,
  pendingFunding,
  usePendingFunding,
} from "@/features/wallet/pending-funding";
import { type Agreement, useAgreement } from "@/features/wallet/use-agreement";
import {
  useCodeRequestElsewhere,
  useConfirm,
  useReasking,
} from "@/features/wallet/use-confirmation";
import { useSettledPayments } from "@/features/wallet/use-settled-payments";
import { untilSessionEnds, useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

const FRAME_GATEWAY = "paystack";

interface FundingRequest {
  amountNaira: number;
  /** The gateway that the member chose, if any. */
  gateway?: string | undefined;
  /** The content of the purchase that this funding pays for, if any. */
  purchase?: string;
}

interface Funding {
  /** The payment to tell the member of; null while they make it in the provider's frame. */
  pending: PendingFunding | null;
  preparing: boolean;
  agreement: Agreement;
  /** Prepare a funding and open the provider. */
  fund: (request: FundingRequest) => void;
  /** Poll the pending payment now. */
  check: () => void;
  dismiss: () => void;
}

/** Fund the wallet: prepare, pay at the provider, confirm. `onPrepared` always runs. */
export function useFunding(onPrepared: () => void): Funding {
  const { id: userId } = useMember();
  const pending = usePendingFunding(userId);
  const agreement = useAgreement();
  const { onEnded, withdraw } = agreement;
  const confirm = useConfirm(userId, onEnded);
  const confirmSettled = useCallback((reference: string) => void confirm(reference), [confirm]);
  useSettledPayments(confirmSettled);
  useReasking(pending, confirm);
  useCodeRequestElsewhere(agreement.reference, pending, confirm);
  const queryClient = useQueryClient();
  const [isPaying, setPaying] = useState(false);

  const mutation = useMutation({
    mutationFn: ({ amountNaira, gateway }: FundingRequest) =>
      prepareFunding(userId, amountNaira, gateway),
    onMutate: ({ purchase }) => agreement.begin(purchase ?? null),
    onSettled: onPrepared,
    onSuccess: ({ data }, { amountNaira: amount }) => {
      const { reference, link } = data;
      pendingFunding.write({ userId, reference, amount, link, phase: "paying", since: Date.now() });
      agreement.onPrepared(reference);
      void pay(data, {
        confirm,
        onFrame: setPaying,
        giveUp: () => {
          withdraw();
          clearFunding(reference);
        },
        onCancel: () => void cancel(queryClient, userId, reference),
      });
    },
    onError: (error) => {
      withdraw();
      showFailure(error);
    },
  });

  return {
    pending: isPaying ? null : pending,
    preparing: mutation.isPending,
    agreement,
    fund: mutation.mutate,
    check: () => pending && checkAgain(pending),
    dismiss: () => {
      withdraw();
      if (pending) {
        clearFunding(pending.reference);
      }
    },
  };
}

function checkAgain(pending: PendingFunding): void {
  pendingFunding.write({ ...pending, phase: "confirming", since: Date.now() });
}

/** Notify the server of a closed checkout; if the call is lost, the server drops it later. */
async function cancel(queryClient: QueryClient, userId: string, reference: string): Promise<void> {
  try {
    await cancelFunding(reference);
  } catch {
    return;
  }
  await invalidateAfter(queryClient, "funding-cancelled", userId);
}

interface Endings {
  confirm: (reference: string) => Promise<void>;
  /** The provider's frame has opened or closed. */
  onFrame: (isOpen: boolean) => void;
  giveUp: () => void;
  onCancel: () => void;
}

/** Pay in the provider's frame, or at the link of a gateway without one. */
async function pay(
  prepared: PreparedFunding,
  { confirm, onFrame, giveUp, onCancel }: Endings,
): Promise<void> {
  if (prepared.gateway !== FRAME_GATEWAY || prepared.access_code === null) {
    openInNewTab(prepared.link);
    return;
  }
  onFrame(true);
  const outcome = await openCheckout({
    accessCode: prepared.access_code,
    endpoints: prepared.checkout,
    signal: untilSessionEnds(),
  }).finally(() => onFrame(false));
  const { reference } = prepared;
  switch (outcome.kind) {
    case "paid":
      enterPhase(reference, "confirming");
      // Our callback page settles the payment; without it the server asks the provider.
      if (!openInNewTab(prepared.redirectURL)) {
        await confirm(reference);
      }
      return;
    case "transfer-pending":
      enterPhase(reference, "confirming");
      return;
    case "refused":
      giveUp();
      showToast("error", outcome.message);
      return;
    case "cancelled":
      giveUp();
      onCancel();
      return;
    case "abandoned":
      return;
    case "unreachable":
      openInNewTab(prepared.link);
  }
}

/** Open an http(s) address in a new tab; false if the browser blocks it. */
function openInNewTab(address: string): boolean {
  if (!/^https?:$/.test(new URL(address, window.location.href).protocol)) {
    return false;
  }
  const tab = window.open(address, "_blank");
  if (tab) {
    tab.opener = null;
  }
  return tab !== null;
}
