import { useParams } from "react-router-dom";
import { ProductDetail } from "@/features/shop/product-detail";

export default function ProductPage() {
  const { id = "" } = useParams();
  return <ProductDetail id={id} />;
}
