import { useQuery } from "@tanstack/react-query";
import { Subscriptions } from "@/features/subscriptions/subscriptions";
import { balanceQuery } from "@/features/wallet/api";
import { CheckoutWallet } from "@/features/wallet/checkout-wallet";
import { useMember } from "@/lib/session/session";

export default function SubscriptionsScreen() {
  // Known before a plan's details open: otherwise they would grow under the thumb.
  useQuery(balanceQuery(useMember().id));
  return <Subscriptions walletNote={(plan) => <CheckoutWallet purchase={plan} />} />;
}
