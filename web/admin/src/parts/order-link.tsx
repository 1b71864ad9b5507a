import { Link } from "react-router-dom";
import { useMay } from "~/api/operator";

/** An order's number; a link for operators who may read the order. */
export function OrderLink({ number }: { number: string }) {
  const mayRead = useMay("GET /api/v1/admin/orders/{order}");
  return (
    <div className="is-whole">
      {mayRead ? <Link to={`/orders/${number}`}>{number}</Link> : number}
    </div>
  );
}
