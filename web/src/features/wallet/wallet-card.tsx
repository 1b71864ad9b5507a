import "@/features/wallet/wallet-card.css";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Eye, EyeOff, Plus } from "lucide-react";
import { startTransition, useState, useSyncExternalStore } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { balanceQuery } from "@/features/wallet/api";
import { FundWalletModal } from "@/features/wallet/fund-wallet-modal";
import { PendingNotice } from "@/features/wallet/pending-notice";
import { useFunding } from "@/features/wallet/use-funding";
import { storedValue } from "@/lib/device/storage";
import { formatNaira } from "@/lib/format/money";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";

const hiddenBalance = storedValue<true>("hide-balance", (stored) =>
  stored === true ? true : null,
);

interface WalletCardProps {
  /** Links to the statement; off on the statement's own screen. */
  withStatementLink?: boolean;
}

/** The balance, which can be hidden, and the fund button. */
export function WalletCard({ withStatementLink = true }: WalletCardProps) {
  const [open, setOpen] = useState(false);
  const funding = useFunding(() => setOpen(false));
  // The button responds first: opening a dialog restyles the whole page, which takes a slow phone a
  // sixth of a second.
  const openModal = () => startTransition(() => setOpen(true));
  return (
    <section className="card wallet-card" aria-labelledby="wallet-title">
      <header className="panel-header">
        <h2 id="wallet-title">Wallet</h2>
        <HideToggle />
      </header>
      <Balance />
      {funding.pending ? (
        <PendingNotice
          pending={funding.pending}
          onCheck={funding.check}
          onDismiss={funding.dismiss}
        />
      ) : null}
      <div className="wallet-actions">
        <Button variant="accent" icon={<Plus aria-hidden="true" />} onClick={openModal}>
          Fund Wallet
        </Button>
        {withStatementLink ? (
          <Link className="text-link" to={paths.wallet}>
            Statement <ArrowRight aria-hidden="true" />
          </Link>
        ) : null}
      </div>
      {open ? (
        <FundWalletModal
          preparing={funding.preparing}
          onFund={(amountNaira, gateway) => funding.fund({ amountNaira, gateway })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </section>
  );
}

function Balance() {
  const { id } = useMember();
  const balance = useQuery(balanceQuery(id));
  const hidden = useSyncExternalStore(hiddenBalance.subscribe, hiddenBalance.read) === true;
  return (
    <Loaded query={balance} pending={<BalanceSkeleton />}>
      {(wallet) => (
        <>
          <p className="numeral wallet-balance">
            {hidden ? "₦ •••••" : formatNaira(wallet.balance)}
          </p>
          {wallet.debt > 0 ? (
            <p className="notice notice-warn small">
              You owe {hidden ? "₦ •••••" : formatNaira(wallet.debt)}, because a bank took a payment
              back after you spent it. The next money in your wallet repays it first.
            </p>
          ) : null}
        </>
      )}
    </Loaded>
  );
}

function BalanceSkeleton() {
  return (
    <div className="wallet-balance" role="status" aria-label="Loading the balance">
      <Skeleton shape="numeral" width="70%" />
    </div>
  );
}

function HideToggle() {
  const hidden = useSyncExternalStore(hiddenBalance.subscribe, hiddenBalance.read) === true;
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Hide balance"
      aria-pressed={hidden}
      onClick={() => (hidden ? hiddenBalance.clear() : hiddenBalance.write(true))}
    >
      {hidden ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
    </button>
  );
}
