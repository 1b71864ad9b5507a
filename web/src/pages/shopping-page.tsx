import { useLocation } from "react-router-dom";
import { Purchases } from "@/features/shop/purchases";
import { useMember } from "@/lib/session";
import { isRecord } from "@/lib/storage";

export default function ShoppingPage() {
  const { id } = useMember();
  const { state } = useLocation();
  // The browser's history outlives the session: another member's order is not shown.
  const orderNumber = isRecord(state) && state["userId"] === id ? state["orderNumber"] : null;
  return <Purchases placedOrder={typeof orderNumber === "string" ? orderNumber : null} />;
}
