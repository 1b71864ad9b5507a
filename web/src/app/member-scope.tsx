import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { storeLastData } from "@/app/last-data/last-data";
import { createQueryClient } from "@/app/query-client";

interface MemberScopeProps {
  userId: string;
  children: ReactNode;
}

/**
 * The scope of one signed-in member: their query cache, their stored data, and the state of all
 * screens inside.
 *
 * Pass the member's id as its `key` too, so that the next member of the same tab starts fresh.
 */
export function MemberScope({ userId, children }: MemberScopeProps) {
  const [queryClient] = useState(createQueryClient);
  useEffect(() => {
    const stopKeeping = storeLastData(queryClient, userId);
    return () => {
      stopKeeping();
      void queryClient.cancelQueries();
      queryClient.clear();
    };
  }, [queryClient, userId]);
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
