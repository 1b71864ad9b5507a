import type { ResponseOf } from "~/api/calls";

export type Product = ResponseOf<"GET /api/v1/admin/products/{product_id}">;
export type Variant = Product["variants"][number];

export const PRODUCT_LABELS = {
  price: "Price in naira",
  star: "Stars",
  hidden: "Hidden from members",
};

export const PRODUCT_HINTS = {
  star: "0 to 10",
  position: "Members see low positions first",
};

/** A product's or size's availability to members, as a state. */
export function stateOf({ hidden }: { hidden: boolean }): "hidden" | "on_sale" {
  return hidden ? "hidden" : "on_sale";
}
