import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { markCelebrationsSeen } from "@/api/celebrations";
import { todayQuery } from "@/api/today";
import type { Celebration } from "@/api/wire";
import { useMember } from "@/lib/session/session";
import { useTurn } from "@/lib/ui/use-turn";

/** Loaded when there is a celebration; if it fails to load, it is celebrated another time. */
const Promotion = lazy(() =>
  import("@/features/home/promotion").catch(() => ({ default: () => null })),
);

/** Celebrates what the member has reached and not seen on any device. */
export function Celebrations() {
  const member = useMember();
  const queryClient = useQueryClient();
  const fresh = useFreshCelebrations();
  const [ended, setEnded] = useState<readonly string[]>([]);
  const celebrated = fresh.filter(({ id }) => !ended.includes(id));
  const isOpen = useTurn(celebrated.length > 0);
  const reached = celebrated.find(({ key }) => key === member.badge) ?? celebrated.at(-1);
  if (reached === undefined || !isOpen) {
    return null;
  }
  const end = () => {
    setEnded([...ended, ...celebrated.map(({ id }) => id)]);
    markCelebrationsSeen(queryClient, member, celebrated).catch(() => undefined);
  };
  return (
    <Suspense fallback={null}>
      <Promotion badge={reached.key} onContinue={end} />
    </Suspense>
  );
}

/** The server's current state; a cached celebration may have been seen elsewhere. */
function useFreshCelebrations(): readonly Celebration[] {
  const { data, isFetching, error } = useQuery(todayQuery(useMember()));
  const [celebrated, setCelebrated] = useState<readonly Celebration[]>([]);
  const fresh = isFetching || error !== null ? undefined : data?.celebrate;
  useEffect(() => {
    if (fresh !== undefined) {
      setCelebrated(fresh);
    }
  }, [fresh]);
  return celebrated;
}
