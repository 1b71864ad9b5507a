import { Months } from "@/features/wallet/months";
import { Statement } from "@/features/wallet/statement";
import { WalletCard } from "@/features/wallet/wallet-card";

export default function WalletScreen() {
  return (
    <div className="wallet-page">
      <div className="wallet-side">
        <WalletCard withStatementLink={false} />
        <Months />
      </div>
      <Statement />
    </div>
  );
}
