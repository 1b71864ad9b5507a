import { Panel } from "@/components/panel";
import { counted, formatCount } from "@/lib/format/counts";
import { ask } from "~/api/client";
import { type Product, stateOf, type Variant } from "~/areas/products/product";
import { Action } from "~/parts/action";
import { RowsTable } from "~/parts/rows-table";

const LABELS = {
  isDefault: "Taken when no size is chosen",
  hidden: "Hidden from members",
  change: "Units added; negative to remove",
};

/** A product's sizes with their stock and the part reserved by orders. */
export function Sizes({ product }: { product: Product }) {
  return (
    <Panel
      title="Sizes and stock"
      action={
        <Action
          call="POST /api/v1/admin/products/{product_id}/variants"
          inPath={{ product_id: product.id }}
          text="New size"
          labels={LABELS}
        />
      }
    >
      <RowsTable
        rows={product.variants}
        columns={[
          { title: "Size", value: sizeOf },
          { title: "Stock", as: "number", value: ({ stock }) => stock },
          { title: "Allocated", as: "number", value: ({ allocated }) => allocated },
          { title: "Available", as: "number", value: ({ available }) => available },
          { title: "Default", value: ({ isDefault }) => (isDefault ? "Yes" : null) },
          { title: "State", as: "state", value: stateOf },
        ]}
        actions={(variant) => <SizeActions product={product} variant={variant} />}
      />
    </Panel>
  );
}

function SizeActions({ product, variant }: { product: Product; variant: Variant }) {
  const { stock, allocated, available } = variant;
  const name = variant.size === null ? product.name : `${product.name}, ${variant.size}`;
  return (
    <>
      <Action
        call="POST /api/v1/admin/stock"
        fixed={{ productId: product.id, variantId: variant.id }}
        text="Stock"
        header={`Stock of ${name}`}
        variant="primary"
        note={`${formatCount(stock)} on the shelf: ${counted(allocated, "unit")} allocated to orders, ${formatCount(available)} available.`}
        labels={LABELS}
      />
      <Action
        call="PATCH /api/v1/admin/products/{product_id}/variants/{variant_id}"
        inPath={{ product_id: product.id, variant_id: variant.id }}
        text="Save"
        button="Change"
        header={`Change ${name}`}
        labels={LABELS}
        current={variant}
        reread={() => reread(product.id, variant.id)}
      />
    </>
  );
}

function sizeOf({ size }: Variant): string {
  return size ?? "Without sizes";
}

async function reread(productId: string, variantId: string): Promise<Variant | undefined> {
  const { variants } = await ask("GET /api/v1/admin/products/{product_id}", {
    inPath: { product_id: productId },
  });
  return variants.find(({ id }) => id === variantId);
}
