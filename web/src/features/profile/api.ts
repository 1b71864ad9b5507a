import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "@/api/calls";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";
import { upload } from "@/api/upload";
import type { Profile } from "@/api/wire";
import { type ProfileValues, recordOf } from "@/features/profile/rules";

/** The banks available for a settlement account, by name. */
export const banksQuery = queryOptions({
  queryKey: keys.banks,
  queryFn: async ({ signal }) => (await get("/api/v1/banks", { signal })).data,
  staleTime: 60 * 60_000,
});

/** Save the record, with the picture if one was chosen; returns the new record. */
export function saveProfile(
  userId: string,
  values: ProfileValues,
  picture: File | null,
): Promise<Answer<Profile>> {
  const user = JSON.stringify({ id: userId, ...recordOf(values) });
  const fields = picture === null ? { user } : { user, avatar: picture };
  return upload("/api/v1/users/updatekyc", fields);
}
