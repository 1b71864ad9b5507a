import type { Answered } from "~/api/calls";

/** All of a member, as far as the operator may read it. */
export type Member = Answered<"GET /api/v1/admin/members/{user_id}">;
