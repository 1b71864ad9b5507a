import { useQuery } from "@tanstack/react-query";
import { clubsQuery } from "@/api/clubs";
import type { Match } from "@/api/wire";
import { clubPair } from "@/lib/format/colours";

export interface MatchColours {
  home: [string, string] | null;
  away: [string, string] | null;
}

/** The colours of both sides; null for a team without a club here, and until they are known. */
export function useMatchColours({ home, away }: Pick<Match, "home" | "away">): MatchColours {
  const clubs = useQuery(clubsQuery).data ?? [];
  const pairOf = (clubId: string | null) => {
    const club = clubs.find(({ id }) => id === clubId);
    return club === undefined ? null : clubPair(club.colours);
  };
  return { home: pairOf(home.clubId), away: pairOf(away.clubId) };
}
