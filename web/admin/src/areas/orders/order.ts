import type { Answered } from "~/api/calls";

/** An order as returned by the back office. */
export type Order = Answered<"GET /api/v1/admin/orders/{order}">;
