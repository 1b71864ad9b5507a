import "@/features/shop/purchases.css";
import type { Order, OrderedProduct } from "@/api/wire";
import { ProductPicture } from "@/components/product-picture";
import { StatusBadge } from "@/components/status-badge";
import { paymentBadge, paymentMethodText, statusTone } from "@/features/shop/rules";
import { formatNairaShort } from "@/lib/format/money";
import { shortName, spokenWords } from "@/lib/format/names";

/** A purchased product with its order's payment and state. */
export function PurchaseCard({ product, order }: { product: OrderedProduct; order: Order }) {
  const payment = paymentBadge(order, product);
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
          {payment === null ? null : <StatusBadge {...payment} />}
          <StatusBadge tone={statusTone(order.status)} text={spokenWords(order.status)} />
        </p>
      </div>
    </article>
  );
}
