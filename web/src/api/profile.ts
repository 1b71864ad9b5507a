import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { Profile } from "@/api/wire";
import { Refusal } from "@/lib/live/failures";
import { session } from "@/lib/session/session";

/** The member's own record: edited by the profile form, shown by the settings. */
export function profileQuery(userId: string) {
  return queryOptions({
    queryKey: keys.profile(userId),
    queryFn: async ({ signal }) => {
      const inPath = { user_id: userId };
      const { data } = await get("/api/v1/users/{user_id}", { inPath, signal });
      rememberProfile(data);
      return data;
    },
  });
}

/** Update the stored member, and with it the header and every screen, from the record. */
export function rememberProfile(profile: Profile): void {
  const member = session.read();
  if (member?.id !== profile.id) {
    return;
  }
  const { firstName, lastName, phone, avatar, club, clubName, emblem, clubColours } = profile;
  const known = { firstName, lastName, phone, avatar, club, clubName, emblem, clubColours };
  if (JSON.stringify({ ...member, ...known }) !== JSON.stringify(member)) {
    session.write({ ...member, ...known });
  }
}

/** Refetch the member's record; fields that the server omits keep their stored values. */
export async function refreshMember(queryClient: QueryClient): Promise<void> {
  const member = session.read();
  if (member !== null) {
    await queryClient.prefetchQuery({ ...profileQuery(member.id), staleTime: 0 });
  }
}

/**
 * Detect a change of club: resources of another club are not found.
 *
 * The server closes the sockets of a member whose club has changed and answers calls that name the
 * old one with 404, so the change is detected here.
 */
export function refreshIfNotFound(queryClient: QueryClient, error: unknown): void {
  if (error instanceof Refusal && error.status === 404) {
    void refreshMember(queryClient);
  }
}
