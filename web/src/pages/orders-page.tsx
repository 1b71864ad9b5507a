import { ShoppingCart } from "@/features/shop/shopping-cart";

export default function OrdersPage() {
  return <ShoppingCart />;
}
