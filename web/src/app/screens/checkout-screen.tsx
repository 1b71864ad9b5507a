import { Checkout } from "@/features/shop/checkout";
import { CheckoutWallet } from "@/features/wallet/checkout-wallet";

export default function CheckoutScreen() {
  return <Checkout walletNote={(order) => <CheckoutWallet purchase={order} />} />;
}
