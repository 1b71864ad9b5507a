import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { refreshIfNotFound } from "@/api/profile";
import { keys } from "@/api/query-keys";

const [PROFILE] = keys.profile("");

/** Refetch the member when one of their resources is not found: their club may have changed. */
export function useFollowedMember(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const stopQueries = queryClient.getQueryCache().subscribe((event) => {
      const isOfRecord = event.query.queryKey[0] === PROFILE;
      if (event.type === "updated" && event.action.type === "error" && !isOfRecord) {
        refreshIfNotFound(queryClient, event.action.error);
      }
    });
    const stopMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === "updated" && event.action.type === "error") {
        refreshIfNotFound(queryClient, event.action.error);
      }
    });
    return () => {
      stopQueries();
      stopMutations();
    };
  }, [queryClient]);
}
