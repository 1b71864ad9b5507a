import { useParams } from "react-router-dom";
import { OrderScreen } from "@/features/shop/order-screen";

export default function OrderPage() {
  const { id = "" } = useParams();
  return <OrderScreen order={id} />;
}
