import { useQuery } from "@tanstack/react-query";
import { inviteQuery } from "@/api/invites";
import { planQuery } from "@/api/member";
import type { Sharer } from "@/lib/device/sharing";
import { displayName } from "@/lib/format/names";
import { useMember } from "@/lib/session/session";

const PLAN_HOLDS_MS = 5 * 60_000;

/**
 * Who shares, loaded in advance: pressing 'Share' then needs no request.
 *
 * Null until the invite is loaded. If it does not load, the app's own address replaces it.
 */
export function useSharer(): Sharer | null {
  const member = useMember();
  const { id, firstName, lastName, clubName, clubColours } = member;
  const invite = useQuery({ ...inviteQuery(id), staleTime: Number.POSITIVE_INFINITY });
  const plan = useQuery({ ...planQuery(id), staleTime: PLAN_HOLDS_MS, meta: {} });
  const link = invite.data?.link ?? (invite.isError ? window.location.origin : null);
  return link === null
    ? null
    : {
        name: displayName(lastName, firstName),
        clubName,
        colours: clubColours,
        planName: plan.data?.plan ?? null,
        link,
      };
}
