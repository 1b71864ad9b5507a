import type { Answered } from "~/api/calls";

/** An order as the back office reads it. */
export type Order = Answered<"GET /api/v1/admin/orders/{order}">;
