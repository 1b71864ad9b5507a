import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { createQueryClient } from "@/app/query-client";

/**
 * Everything that belongs to one signed-in member: what the server told them, and all that the
 * screens under it keep in memory.
 *
 * Give it the member's id as its `key`, so that the next member of the same tab begins with
 * nothing of the last one's.
 */
export function MemberScope({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  useEffect(
    () => () => {
      void queryClient.cancelQueries();
      queryClient.clear();
    },
    [queryClient],
  );
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
