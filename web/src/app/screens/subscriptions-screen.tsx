import { Subscriptions } from "@/features/subscriptions/subscriptions";
import { CheckoutWallet } from "@/features/wallet/checkout-wallet";

export default function SubscriptionsScreen() {
  return <Subscriptions walletNote={(plan) => <CheckoutWallet purchase={plan} />} />;
}
