import { Link } from "react-router-dom";
import type { RowOf } from "~/api/calls";
import { useMay } from "~/api/operator";
import { LongWords } from "~/parts/long-words";
import { OrderLink } from "~/parts/order-link";

export type ReviewCase = RowOf<"GET /api/v1/admin/review-cases">;

/** What a case is about, in words: an order's number, or a funding's reference. */
export function subjectOf({ orderNumber, fundingReference, subject }: ReviewCase): string {
  return orderNumber ?? fundingReference ?? subject;
}

/** What a case is about, which leads to the order or the funding. */
export function CaseSubject({ reviewCase }: { reviewCase: ReviewCase }) {
  const mayRead = useMay("GET /api/v1/admin/fundings");
  const { orderNumber, fundingReference } = reviewCase;
  if (orderNumber !== null) {
    return <OrderLink number={orderNumber} />;
  }
  const name = <LongWords text={subjectOf(reviewCase)} />;
  return fundingReference !== null && mayRead ? (
    <Link to={`/money?q=${encodeURIComponent(fundingReference)}`}>{name}</Link>
  ) : (
    name
  );
}
