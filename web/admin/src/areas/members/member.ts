import type { Answered } from "~/api/calls";

/** All of a member's data that the operator may read. */
export type Member = Answered<"GET /api/v1/admin/members/{user_id}">;
