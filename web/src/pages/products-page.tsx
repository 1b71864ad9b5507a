import { Products } from "@/features/shop/products";

export default function ProductsPage() {
  return <Products />;
}
