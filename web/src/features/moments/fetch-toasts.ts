import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { MissingMemberError } from "@/features/moments/api";
import { messageOf, Refusal } from "@/lib/live/failures";
import { showToast } from "@/lib/ui/toasts";

export const FETCHED = "Your content has been fetched successfully.";

/** The toasts of a visit by spec 8: fetched, or why not. Successful reloads are silent. */
export function useFetchToasts(query: UseQueryResult): void {
  const { isFetchedAfterMount, isSuccess, error } = query;
  useEffect(() => {
    if (isFetchedAfterMount && isSuccess) {
      showToast("success", FETCHED);
    }
  }, [isFetchedAfterMount, isSuccess]);
  useEffect(() => {
    if (error !== null) {
      showFetchFailure(error);
    }
  }, [error]);
}

/** A refusal is information with the server's sentence; all else is an error (spec 8). */
export function showFetchFailure(error: Error): void {
  if (error instanceof Refusal) {
    showToast("info", `Fetch failed: ${error.message}`);
  } else if (error instanceof MissingMemberError) {
    showToast("error", error.message);
  } else {
    showToast("error", `Error fetching your content: ${messageOf(error)}`);
  }
}
