import { Months } from "@/features/wallet/months";
import { Statement } from "@/features/wallet/statement";
import { WalletCard } from "@/features/wallet/wallet-card";

/** The balance, the transactions, and the sums by month. */
export default function WalletScreen() {
  return (
    <div className="wallet-page has-statement">
      <WalletCard withStatementLink={false} />
      <Statement />
      <Months />
    </div>
  );
}
