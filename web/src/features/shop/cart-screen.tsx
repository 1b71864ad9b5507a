import "@/features/shop/cart.css";
import { ArrowRight, ShoppingCart as CartIcon, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { Button, buttonClasses } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Modal } from "@/components/modal";
import { ProductPicture } from "@/components/product-picture";
import { StatusBadge } from "@/components/status-badge";
import { Stepper } from "@/components/stepper";
import { useCart } from "@/features/shop/cart-context";
import { NothingOrderable } from "@/features/shop/nothing-orderable";
import { isOrderable } from "@/features/shop/rules";
import { plural } from "@/lib/format/counts";
import { formatDollars, formatNaira, timesQuantity } from "@/lib/format/money";
import { paths } from "@/lib/format/paths";
import {
  type CartItem,
  cartTotal,
  lineKey,
  lineName,
  MAX_QUANTITY,
} from "@/lib/session/cart-store";

/** The lines of the cart, their total, and the checkout button. */
export default function CartScreen() {
  const { cart } = useCart();
  return (
    <section className="cart" aria-labelledby="cart-title">
      <header className="cart-header">
        <h2 id="cart-title">Shopping Cart</h2>
        <Link className="text-link" to={paths.shopping}>
          My orders <ArrowRight aria-hidden="true" />
        </Link>
      </header>
      {cart.length === 0 ? (
        <EmptyState
          icon={CartIcon}
          title="Your cart is empty"
          action={
            <Link className={buttonClasses()} to={paths.products}>
              Go to the shop
            </Link>
          }
        >
          What you add in the shop waits here until you order it.
        </EmptyState>
      ) : (
        <div className="cart-columns">
          <ul className="card cart-lines">
            {cart.map((item) => (
              <CartLine key={lineKey(item)} item={item} />
            ))}
          </ul>
          <CartSummary cart={cart} />
        </div>
      )}
    </section>
  );
}

function CartLine({ item }: { item: CartItem }) {
  const { removeFromCart, changeQuantity } = useCart();
  const lineTotal = timesQuantity(item.price, item.quantity);
  const format = item.sample ? formatDollars : formatNaira;
  return (
    <li className="cart-line">
      <ProductPicture src={item.thumbnail} size={72} />
      <div className="cart-what">
        <strong>
          {lineName(item)} (x{item.quantity})
        </strong>
        {isOrderable(item) ? null : <StatusBadge tone="error" text="Not available" />}
      </div>
      <span className="cart-tools">
        {isOrderable(item) ? (
          <Stepper
            label={lineName(item)}
            value={item.quantity}
            max={Math.min(item.available ?? MAX_QUANTITY, MAX_QUANTITY)}
            onChange={(quantity) => changeQuantity(lineKey(item), quantity)}
          />
        ) : null}
        <Button
          variant="danger"
          icon={<Trash2 aria-hidden="true" />}
          aria-label={`Remove: ${lineName(item)}`}
          onClick={() => removeFromCart(lineKey(item))}
        >
          Remove
        </Button>
      </span>
      <strong className="cart-line-total">{format(lineTotal)}</strong>
    </li>
  );
}

function CartSummary({ cart }: { cart: CartItem[] }) {
  const { clearCart } = useCart();
  const [asking, setAsking] = useState(false);
  return (
    <aside className="card cart-summary" aria-label="Total">
      <p className="cart-total">
        <span>Total</span>
        <span className="numeral">{formatNaira(cartTotal(cart))}</span>
      </p>
      <NothingOrderable cart={cart} />
      {cart.every(isOrderable) ? null : (
        <p className="small muted">
          Items that are not available do not count. Remove them before you check out.
        </p>
      )}
      {cart.some(isOrderable) ? (
        <Link className={buttonClasses("primary", true)} to={paths.checkout}>
          Checkout
        </Link>
      ) : (
        <Button wide disabled>
          Checkout
        </Button>
      )}
      <Button variant="danger" wide onClick={() => setAsking(true)}>
        Clear Cart
      </Button>
      {asking ? (
        <Modal
          header="Clear the cart?"
          content={
            <p>All {plural(cart.length, "", `${cart.length} `)}lines are taken out of it.</p>
          }
          submitText="Yes, clear it"
          onClose={() => setAsking(false)}
          onSubmit={clearCart}
        />
      ) : null}
    </aside>
  );
}
