import type { ResponseOf } from "~/api/calls";

/** All of a member's data that the operator may read. */
export type Member = ResponseOf<"GET /api/v1/admin/members/{user_id}">;
