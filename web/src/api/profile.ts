import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import type { Profile } from "@/api/wire";
import { session } from "@/lib/session";

export const profileKey = (userId: string) => ["profile", userId] as const;

/** The member's own record: the profile form edits it and the settings show it. */
export function profileQuery(userId: string) {
  return queryOptions({
    queryKey: profileKey(userId),
    queryFn: async ({ signal }) => {
      const inPath = { user_id: userId };
      const { data } = await get("/api/v1/users/{user_id}", { inPath, signal });
      rememberProfile(data);
      return data;
    },
  });
}

/** Let the stored member, and with it the header and every screen, follow the record. */
export function rememberProfile({ id, firstName, lastName, phone, avatar }: Profile): void {
  const member = session.read();
  if (member?.id !== id) {
    return;
  }
  const known = { firstName, lastName, phone, avatar };
  if (JSON.stringify({ ...member, ...known }) !== JSON.stringify(member)) {
    session.write({ ...member, ...known });
  }
}
