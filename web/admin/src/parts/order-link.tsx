import { Link } from "react-router-dom";
import { useMay } from "~/api/operator";

/** An order's number, which leads to its page for whoever may read it. */
export function OrderLink({ number }: { number: string }) {
  const mayRead = useMay("GET /api/v1/admin/orders/{order}");
  return (
    <div className="is-whole">
      {mayRead ? <Link to={`/orders/${number}`}>{number}</Link> : number}
    </div>
  );
}
