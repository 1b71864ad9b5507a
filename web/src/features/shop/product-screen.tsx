import "@/features/shop/product-detail.css";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, PackageX } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Link, useParams } from "react-router-dom";
import type { Product } from "@/api/wire";
import { Button, buttonClasses } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { ProductPicture } from "@/components/product-picture";
import { Segments } from "@/components/segments";
import { Skeleton } from "@/components/skeleton";
import { StarRating } from "@/components/star-rating";
import { StatusBadge } from "@/components/status-badge";
import { productQuery } from "@/features/shop/api";
import { useCart } from "@/features/shop/cart-context";
import { inCart, stockNote } from "@/features/shop/rules";
import { sampleProducts } from "@/features/shop/samples";
import { formatDollars, formatNaira } from "@/lib/format/money";
import { paths } from "@/lib/format/paths";
import type { CartProduct } from "@/lib/session/cart-store";
import { dropErrorToasts, showToast } from "@/lib/ui/toasts";

/** One product: the shop's in naira, else one of the six samples in dollars (B-30). */
export default function ProductScreen() {
  const { id = "" } = useParams();
  const product = useQuery(productQuery(id));
  return (
    <Loaded query={product} pending={<DetailSkeleton />}>
      {(ofTheShop) => {
        const found = ofTheShop ?? sampleProducts.find((sample) => sample.id === id);
        if (found === undefined) {
          return <NotFound />;
        }
        return ofTheShop !== null && ofTheShop.variants.length > 0 ? (
          <SizedDetail product={ofTheShop} />
        ) : (
          <Detail product={ofTheShop === null ? found : inCart(ofTheShop)} />
        );
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
          Go to the shop
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

const CHOOSE_A_SIZE = "Choose a size";

/** A product with sizes: one has to be chosen before it enters the cart. */
function SizedDetail({ product }: { product: Product }) {
  const [size, setSize] = useState<string | null>(null);
  const sizes = useRef<HTMLDivElement>(null);
  const chosen = product.variants.find((variant) => variant.size === size);
  return (
    <Detail
      product={inCart(product, chosen)}
      {...(chosen === undefined ? { onMissing: () => showMissingSize(sizes.current) } : {})}
    >
      <div className="detail-sizes" ref={sizes}>
        <p aria-hidden="true">{size === null ? CHOOSE_A_SIZE : `Size ${size}`}</p>
        <Segments
          label={CHOOSE_A_SIZE}
          options={product.variants.map((variant) => ({
            value: variant.size,
            text: variant.size,
            disabled: variant.available <= 0,
          }))}
          value={size}
          onChange={(chosenSize) => {
            setSize(chosenSize);
            dropErrorToasts();
          }}
        />
      </div>
    </Detail>
  );
}

/** Show what is missing, and scroll to the choice: a phone's bar may cover it. */
function showMissingSize(sizes: HTMLElement | null): void {
  showToast("error", CHOOSE_A_SIZE);
  sizes?.scrollIntoView({ block: "center" });
  sizes?.querySelector<HTMLInputElement>("input:enabled")?.focus({ preventScroll: true });
}

interface DetailProps {
  product: CartProduct;
  /** Called instead of adding while a choice is missing. */
  onMissing?: () => void;
  children?: ReactNode;
}

function Detail({ product, onMissing, children }: DetailProps) {
  const { addToCart } = useCart();
  const soldOut = product.available !== undefined && product.available <= 0;
  const note = stockNote(product.available);
  const add = () => {
    if (onMissing !== undefined) {
      onMissing();
      return;
    }
    addToCart(product);
    // The browser's own alert, as the specification requires.
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
        {children}
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
