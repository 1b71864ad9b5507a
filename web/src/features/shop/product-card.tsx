import "@/features/shop/products.css";
import { Link } from "react-router-dom";
import type { Product } from "@/api/wire";
import { ProductPicture } from "@/components/product-picture";
import { StarRating } from "@/components/star-rating";
import { useCart } from "@/features/shop/cart-context";
import { inCart, stockNote } from "@/features/shop/rules";
import { formatNairaShort } from "@/lib/format/money";
import { shortName } from "@/lib/format/names";
import { paths } from "@/lib/format/paths";
import { showToast } from "@/lib/ui/toasts";

interface ProductCardProps {
  product: Product;
  /** Cards in the first view load their picture eagerly. */
  eager?: boolean;
}

/** Picture, name, price, stars and the add-to-cart button. */
export function ProductCard({ product, eager = false }: ProductCardProps) {
  const note = stockNote(product.available);
  return (
    <article className="product-card">
      <Link className="product-link" to={paths.product(product.id)}>
        <ProductPicture src={product.thumbnail} size={240} eager={eager} />
        {note ? <span className="product-note">{note}</span> : null}
        <span className="product-name" title={product.name}>
          {shortName(product.name)}
        </span>
      </Link>
      <p className="product-price">{formatNairaShort(product.price)}</p>
      <StarRating outOfTen={product.star} />
      <AddToCart product={product} />
    </article>
  );
}

function AddToCart({ product }: { product: Product }) {
  const { addToCart } = useCart();
  if (product.available > 0 && product.variants.length > 0) {
    return (
      <Link
        className="product-add"
        to={paths.product(product.id)}
        aria-label={`Choose a size: ${product.name}`}
      >
        Choose a size
      </Link>
    );
  }
  if (product.available <= 0) {
    return <p className="product-add is-sold-out">Sold out</p>;
  }
  const add = () => {
    addToCart(inCart(product));
    showToast("info", "Item successfully added to cart!");
  };
  return (
    <button
      type="button"
      className="product-add"
      aria-label={`Add to cart: ${product.name}`}
      onClick={add}
    >
      Add to cart
    </button>
  );
}
