import "@/features/wallet/checkout-wallet.css";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useState } from "react";
import type { FundingLimits } from "@/api/wire";
import { Button } from "@/components/button";
import { balanceQuery, limitsQuery } from "@/features/wallet/api";
import { amountRefusal, FundWalletModal } from "@/features/wallet/fund-wallet-modal";
import { PendingNotice } from "@/features/wallet/pending-notice";
import { useKeptAgreement } from "@/features/wallet/use-agreement";
import { useFunding } from "@/features/wallet/use-funding";
import { formatNaira, formatNairaShort } from "@/lib/format/money";
import type { Purchase } from "@/lib/session/purchase";
import { useMember } from "@/lib/session/session";
import { showToast } from "@/lib/ui/toasts";

const AND_THEN = { order: "complete order", plan: "subscribe" };
const BY_ITSELF = {
  order: "The order is placed automatically as soon as the money is in your wallet.",
  plan: "The plan starts automatically as soon as the money is in your wallet.",
};

/**
 * The wallet's balance beside a price; with too little in it, the shortfall and a button that funds
 * it and then buys. An order can also be funded with any amount.
 */
export function CheckoutWallet({ purchase }: { purchase: Purchase }) {
  const { kind, costNaira } = purchase;
  const { id } = useMember();
  const wallet = useQuery(balanceQuery(id)).data;
  const debt = wallet?.debt ?? 0;
  const [open, setOpen] = useState(false);
  const funding = useFunding(() => setOpen(false));
  useKeptAgreement(funding.agreement, purchase);
  const missing = shortfall(wallet?.balance, costNaira + debt);
  const isShort = missing > 0;
  const { onShortfall } = purchase;
  useLayoutEffect(() => onShortfall?.(isShort), [isShort, onShortfall]);
  const limits = useQuery({ ...limitsQuery(id), enabled: isShort }).data;
  const amount = amountFor(missing, limits);
  const fundAndSend = () => {
    const refusal = amountRefusal(amount, limits);
    if (refusal !== undefined) {
      showToast("error", refusal);
    } else if (purchase.isReady()) {
      funding.fund({ amountNaira: amount, purchase: purchase.content });
    }
  };
  return (
    <div className="checkout-wallet">
      <p className="small">
        Balance: <strong>{wallet === undefined ? "..." : formatNaira(wallet.balance)}</strong>
      </p>
      {isShort ? (
        <div className="notice notice-warn">
          <p>
            You need <strong>{formatNaira(missing)}</strong> more
            {debt > 0 ? `, and ${formatNaira(debt)} of it repays what you owe` : ""}.
          </p>
          <Button variant="accent" busy={funding.agreement.content !== null} onClick={fundAndSend}>
            Fund {formatNairaShort(amount)} and {AND_THEN[kind]}
          </Button>
          {kind === "plan" ? null : (
            <Button variant="secondary" onClick={() => setOpen(true)}>
              Fund Wallet
            </Button>
          )}
        </div>
      ) : null}
      {funding.pending ? (
        <PendingNotice
          pending={funding.pending}
          onCheck={funding.check}
          onDismiss={funding.dismiss}
        />
      ) : null}
      {funding.agreement.reference === null ? null : <p className="small">{BY_ITSELF[kind]}</p>}
      {open ? (
        <FundWalletModal
          preparing={funding.preparing}
          suggestedNaira={amount}
          onFund={(amountNaira, gateway) => funding.fund({ amountNaira, gateway })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  );
}

/** The shortfall for `total` in naira; 0 while the balance is unknown or sufficient. */
function shortfall(balance: number | undefined, total: number): number {
  const missingKobo = Math.round(total * 100) - Math.round((balance ?? total) * 100);
  return Math.max(missingKobo, 0) / 100;
}

/** Whole naira that cover the shortfall and the minimum funding. */
function amountFor(missing: number, limits: FundingLimits | undefined): number {
  return Math.max(Math.ceil(missing), limits?.minimum ?? 0);
}
