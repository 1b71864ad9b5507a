import { useLocation } from "react-router-dom";
import { Purchases } from "@/features/shop/purchases";
import { isRecord } from "@/lib/storage";

export default function ShoppingPage() {
  const { state } = useLocation();
  const orderNumber = isRecord(state) ? state["orderNumber"] : null;
  return <Purchases placedOrder={typeof orderNumber === "string" ? orderNumber : null} />;
}
