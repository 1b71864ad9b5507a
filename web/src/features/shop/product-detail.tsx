import "@/features/shop/product-detail.css";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, PackageX } from "lucide-react";
import { Link } from "react-router-dom";
import { Button, buttonClasses } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { ProductPicture } from "@/components/product-picture";
import { Skeleton } from "@/components/skeleton";
import { StarRating } from "@/components/star-rating";
import { StatusBadge } from "@/components/status-badge";
import { productQuery } from "@/features/shop/api";
import { useCart } from "@/features/shop/cart-context";
import { stockNote } from "@/features/shop/rules";
import { sampleProducts } from "@/features/shop/samples";
import type { CartItem } from "@/lib/cart-store";
import { formatDollars, formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";

/** One product: the shop's in naira, else one of the six samples in dollars (B-30). */
export function ProductDetail({ id }: { id: string }) {
  const product = useQuery(productQuery(id));
  return (
    <Loaded asked={product} pending={<DetailSkeleton />}>
      {(ofTheShop) => {
        const found = ofTheShop ?? sampleProducts.find((sample) => sample.id === id);
        return found === undefined ? <NotFound /> : <Detail product={found} />;
      }}
    </Loaded>
  );
}

function NotFound() {
  return (
    <EmptyState
      icon={PackageX}
      title="Product not found"
      action={
        <Link className={buttonClasses("secondary")} to={paths.products}>
          To the shop
        </Link>
      }
    />
  );
}

function DetailSkeleton() {
  return (
    <div className="product-detail" role="status" aria-label="Loading the product">
      <Skeleton width="8rem" />
      <div className="picture-waiting">
        <Skeleton shape="block" />
      </div>
      <div className="detail-text">
        <Skeleton shape="numeral" />
        <Skeleton shape="numeral" width="40%" />
      </div>
    </div>
  );
}

function Detail({ product }: { product: Omit<CartItem, "quantity"> }) {
  const { addToCart } = useCart();
  const soldOut = product.available !== undefined && product.available <= 0;
  const note = stockNote(product.available);
  const add = () => {
    addToCart(product);
    // The browser's own alert, as the specification asks.
    alert("Item successfully added to cart!");
  };
  return (
    <article className="product-detail">
      <Link className="text-link" to={paths.products}>
        <ArrowLeft aria-hidden="true" /> All products
      </Link>
      <ProductPicture src={product.image} size={640} eager />
      <div className="detail-text">
        <h2>{product.name}</h2>
        <StarRating outOfTen={product.star} />
        <p className="numeral">
          {product.sample ? formatDollars(product.price) : formatNaira(product.price)}
        </p>
        {note ? <StatusBadge tone={soldOut ? "neutral" : "info"} text={note} /> : null}
        {product.sample ? <StatusBadge tone="info" text="A sample: it cannot be ordered" /> : null}
        <p className="detail-description">{product.description}</p>
        <div className="detail-action">
          <Button wide disabled={soldOut} onClick={add}>
            Add to Cart
          </Button>
        </div>
      </div>
    </article>
  );
}
