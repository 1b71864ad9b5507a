import "@/components/field.css";
import "@/features/shop/products.css";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Search, SearchX, Store } from "lucide-react";
import { useSearchParams } from "react-router-dom";
import type { Product } from "@/api/wire";
import { Button } from "@/components/button";
import { Carousel } from "@/components/carousel";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { productsQuery } from "@/features/shop/api";
import { ProductCard } from "@/features/shop/product-card";
import { findProducts, SORTINGS } from "@/features/shop/rules";

const IN_CAROUSEL = 8;
const CAROUSEL_MS = 2500;
const LOADING_CARDS = ["1", "2", "3", "4", "5", "6", "7", "8"];

/** The shop: the week's popular products as a carousel, then all of them, searched and sorted. */
export default function ProductsScreen() {
  const products = useQuery(productsQuery);
  return (
    <Loaded query={products} pending={<ShopSkeleton />}>
      {(found) => <Shop products={found} />}
    </Loaded>
  );
}

function Shop({ products }: { products: Product[] }) {
  if (products.length === 0) {
    return (
      <EmptyState icon={Store} title="The shop is being stocked">
        There is nothing to buy yet. Check again soon.
      </EmptyState>
    );
  }
  return (
    <div className="shop">
      <div className="shop-popular">
        <h2>Popular This Week</h2>
        <Carousel label="Popular This Week" autoplayMs={CAROUSEL_MS}>
          {products.slice(0, IN_CAROUSEL).map((product) => (
            <li key={product.id}>
              <ProductCard product={product} eager />
            </li>
          ))}
        </Carousel>
      </div>
      <AllProducts products={products} />
    </div>
  );
}

function AllProducts({ products }: { products: Product[] }) {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("q") ?? "";
  const sorting = search.get("sort") ?? "";
  const found = findProducts([...products], wanted, sorting);
  const change = (name: string, value: string) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        if (value) {
          next.set(name, value);
        } else {
          next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  return (
    <section aria-labelledby="all-title" className="shop-all">
      <h2 id="all-title">All products</h2>
      <search className="shop-tools">
        <label className="icon-input">
          <span className="visually-hidden">Search the shop</span>
          <Search aria-hidden="true" />
          <input
            className="input"
            type="search"
            placeholder="Search the shop"
            value={wanted}
            onChange={(event) => change("q", event.target.value)}
          />
        </label>
        <label className="shop-sort select-row">
          <span className="visually-hidden">Sort by</span>
          <select
            className="input"
            value={sorting}
            onChange={(event) => change("sort", event.target.value)}
          >
            <option value="">Featured</option>
            {Object.entries(SORTINGS).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden="true" />
        </label>
      </search>
      <p className="small muted" role="status">
        {found.length} of {products.length} products
      </p>
      {found.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={`Nothing for “${wanted}”`}
          action={
            <Button variant="secondary" onClick={() => change("q", "")}>
              Show all products
            </Button>
          }
        />
      ) : (
        <ul className="product-grid">
          {found.map((product) => (
            <li key={product.id}>
              <ProductCard product={product} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ShopSkeleton() {
  return (
    <ul className="product-grid" role="status" aria-label="Loading the shop">
      {LOADING_CARDS.map((card) => (
        <li key={card} className="product-card product-waiting">
          <Skeleton shape="block" />
        </li>
      ))}
    </ul>
  );
}
