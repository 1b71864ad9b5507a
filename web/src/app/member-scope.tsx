import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { keepLastData } from "@/app/last-data/last-data";
import { createQueryClient } from "@/app/query-client";

interface MemberScopeProps {
  userId: string;
  children: ReactNode;
}

/**
 * Everything that belongs to one signed-in member: what the server told them, now and before, and
 * all that the screens under it keep in memory.
 *
 * Give it the member's id as its `key` too, so that the next member of the same tab begins with
 * nothing of the last one's.
 */
export function MemberScope({ userId, children }: MemberScopeProps) {
  const [queryClient] = useState(createQueryClient);
  useEffect(() => {
    const stopKeeping = keepLastData(queryClient, userId);
    return () => {
      stopKeeping();
      void queryClient.cancelQueries();
      queryClient.clear();
    };
  }, [queryClient, userId]);
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
