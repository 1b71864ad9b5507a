import { queryOptions } from "@tanstack/react-query";
import { get, post } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { LegalState } from "@/api/wire";

/** Which version of the terms the member has accepted, and whether the current one is asked for. */
export function legalQuery(userId: string) {
  return queryOptions({
    queryKey: keys.legal(userId),
    queryFn: async ({ signal }): Promise<LegalState> => {
      const inPath = { user_id: userId };
      return (await get("/api/v1/users/{user_id}", { inPath, signal })).data.legal;
    },
  });
}

/** Accept a version; repeating it changes nothing. Refused if it is no longer the current one. */
export async function acceptTerms(version: string): Promise<LegalState> {
  return (await post("/api/v1/legal/accept", { version })).data;
}
