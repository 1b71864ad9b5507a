import "@/features/shop/purchases.css";
import type { Order, OrderedProduct } from "@/api/wire";
import { ProductPicture } from "@/components/product-picture";
import { StatusBadge } from "@/components/status-badge";
import { awaitsTransfer, paymentBadge, paymentMethodText, statusTone } from "@/features/shop/rules";
import { formatNairaShort } from "@/lib/format/money";
import { shortName, spokenWords } from "@/lib/format/names";

interface PurchaseCardProps {
  product: OrderedProduct;
  order: Order;
  /** Whether the club is checking a receipt; undefined while unknown. */
  isUnderReview?: boolean | undefined;
}

/** A purchased product with its order's payment and state. */
export function PurchaseCard({ product, order, isUnderReview }: PurchaseCardProps) {
  return (
    <article className="purchase-card">
      <ProductPicture src={product.thumbnail} size={96} />
      <div className="purchase-text">
        <h3 title={product.name}>{shortName(product.name)}</h3>
        <p>
          <strong>{formatNairaShort(product.price)}</strong>
          {product.quantity > 1 ? ` x ${product.quantity}` : ""}
          {product.size ? `, size ${product.size}` : ""}
        </p>
        <p className="small muted">{paymentMethodText(order.payment_method)}</p>
        <p className="purchase-states">
          {isUnderReview ? (
            <StatusBadge tone="info" text="Receipt under review" />
          ) : (
            <States product={product} order={order} isKnown={isUnderReview === false} />
          )}
        </p>
      </div>
    </article>
  );
}

interface StatesProps {
  product: OrderedProduct;
  order: Order;
  isKnown: boolean;
}

/** The payment, once it is known whether a receipt is under review, and the order's state. */
function States({ product, order, isKnown }: StatesProps) {
  const payment = isKnown || !awaitsTransfer(order) ? paymentBadge(order, product) : null;
  return (
    <>
      {payment === null ? null : <StatusBadge {...payment} />}
      <StatusBadge tone={statusTone(order.status)} text={spokenWords(order.status)} />
    </>
  );
}
