import { useQuery } from "@tanstack/react-query";
import { answerOf, envelopeOf, readBody, send } from "@/api/calls";
import { keys } from "@/api/query-keys";
import type { Club } from "@/api/wire";

const FRESH_FOR_MS = 10 * 60_000;

/** The names of all clubs, which are public; empty until loaded. */
export function useClubNames(): string[] {
  const { data = [] } = useQuery({
    queryKey: keys.clubs,
    queryFn: async ({ signal }) => {
      const response = await send("GET", "/api/v1/clubs", undefined, null, { signal });
      return answerOf<Club[]>(response, envelopeOf(response, await readBody(response, signal)))
        .data;
    },
    staleTime: FRESH_FOR_MS,
  });
  return data.map(({ name }) => name);
}
