import type { ResponseOf } from "~/api/calls";

/** An order as returned by the back office. */
export type Order = ResponseOf<"GET /api/v1/admin/orders/{order}">;
