import { Subscriptions } from "@/features/subscriptions/subscriptions";
import { CheckoutWallet } from "@/features/wallet/checkout-wallet";

export default function SubscriptionsPage() {
  return <Subscriptions walletNote={(plan) => <CheckoutWallet purchase={plan} />} />;
}
