import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keepLastData } from "@/app/last-data/last-data";
import { useMember } from "@/lib/session";

/** Show what the member saw last until it is read anew, and keep what they see now. */
export function useLastData(): void {
  const { id } = useMember();
  const queryClient = useQueryClient();
  useEffect(() => keepLastData(queryClient, id), [queryClient, id]);
}
