import { Statement } from "@/features/wallet/statement";
import { WalletCard } from "@/features/wallet/wallet-card";

export default function WalletPage() {
  return (
    <div className="wallet-page">
      <WalletCard withStatementLink={false} />
      <Statement />
    </div>
  );
}
