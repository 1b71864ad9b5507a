import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/button";
import { balanceQuery } from "@/features/wallet/api";
import { FundWalletModal } from "@/features/wallet/fund-wallet-modal";
import { PendingNotice } from "@/features/wallet/pending-notice";
import { useFunding } from "@/features/wallet/use-funding";
import { formatNaira } from "@/lib/money";
import { useMember } from "@/lib/session";

interface CheckoutWalletProps {
  totalNaira: number;
  /** What is paid for. */
  purpose?: "order" | "plan";
}

/** The wallet's balance beside a price; with too little in it, what is missing and a way to fund. */
export function CheckoutWallet({ totalNaira, purpose = "order" }: CheckoutWalletProps) {
  const { id } = useMember();
  const balance = useQuery(balanceQuery(id));
  const [open, setOpen] = useState(false);
  const funding = useFunding(() => setOpen(false));
  const missing = shortfall(balance.data, totalNaira);
  return (
    <div className="checkout-wallet">
      <p className="small">
        Balance: <strong>{balance.data === undefined ? "..." : formatNaira(balance.data)}</strong>
      </p>
      {missing > 0 ? (
        <div className="notice notice-warn">
          <p>
            <strong>{formatNaira(missing)}</strong> is missing for this {purpose}.
          </p>
          <Button look="accent" onClick={() => setOpen(true)}>
            Fund Wallet
          </Button>
        </div>
      ) : null}
      {funding.pending ? (
        <PendingNotice
          pending={funding.pending}
          onCheck={funding.check}
          onDismiss={funding.dismiss}
        />
      ) : null}
      {open ? (
        <FundWalletModal
          preparing={funding.preparing}
          suggestedNaira={missing}
          onFund={funding.fund}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  );
}

/** Naira missing for `total`; 0 while the balance is not known or when it is enough. */
function shortfall(balance: number | undefined, total: number): number {
  const missingKobo = Math.round(total * 100) - Math.round((balance ?? total) * 100);
  return Math.max(missingKobo, 0) / 100;
}
