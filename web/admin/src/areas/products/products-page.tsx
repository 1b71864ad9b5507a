import "~/areas/products/products.css";
import { useNavigate } from "react-router-dom";
import { ProductPicture } from "@/components/product-picture";
import { counted } from "@/lib/format/counts";
import type { RowOf } from "~/api/calls";
import { PRODUCT_HINTS, PRODUCT_LABELS, stateOf } from "~/areas/products/product";
import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

const THUMBNAIL_PX = 44;

/** All products, including hidden ones, with their stock. */
export default function ProductsPage() {
  const navigate = useNavigate();
  return (
    <ResourceList
      call="GET /api/v1/admin/products"
      noun="product"
      empty="No products"
      labels={{ q: "Name begins with" }}
      to={({ id }) => `/products/${id}`}
      beside={
        <Action
          call="POST /api/v1/admin/products"
          text="New product"
          variant="primary"
          labels={PRODUCT_LABELS}
          hints={PRODUCT_HINTS}
          onDone={({ data }) => "id" in data && navigate(`/products/${data.id}`)}
        />
      }
      columns={[
        { title: "Product", value: ({ name }) => name, show: (product) => <Name {...product} /> },
        { title: "Price", as: "naira", value: ({ price }) => price },
        { title: "Stock", as: "number", value: ({ stock }) => stock, total: true },
        { title: "Allocated", as: "number", value: ({ allocated }) => allocated, total: true },
        { title: "Available", as: "number", value: ({ available }) => available, total: true },
        { title: "Sizes", value: sizesOf },
        { title: "State", as: "state", value: stateOf },
      ]}
    />
  );
}

type Product = RowOf<"GET /api/v1/admin/products">;

function Name({ name, thumbnail }: Product) {
  return (
    <span className="named-picture">
      <ProductPicture src={thumbnail} size={THUMBNAIL_PX} />
      {name}
    </span>
  );
}

function sizesOf({ variants }: Product): string {
  const sizes = variants.flatMap(({ size }) => (size === null ? [] : [size]));
  return sizes.length > SIZES_NAMED ? counted(sizes.length, "size") : sizes.join(", ");
}

const SIZES_NAMED = 6;
