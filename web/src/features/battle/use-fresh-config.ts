import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { invalidateAfter } from "@/api/stale";
import type { BattleConfig } from "@/api/wire";
import { useMember } from "@/lib/session/session";

const REFETCH_DELAY_MS = 1000;
const MIN_REFETCH_INTERVAL_MS = 15_000;

/** Refetch when the season or the day has changed by the server's clock. */
export function useFreshConfig(config: BattleConfig, nowMs: number): void {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  const { serverNow } = config;
  const isStale = nowMs >= staleAtMs(config);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer may be stale at once, too
  useEffect(() => {
    if (!isStale) {
      return;
    }
    const ask = () => void invalidateAfter(queryClient, "season-moved", userId);
    const soon = setTimeout(ask, REFETCH_DELAY_MS);
    const again = setInterval(ask, MIN_REFETCH_INTERVAL_MS);
    return () => {
      clearTimeout(soon);
      clearInterval(again);
    };
  }, [isStale, serverNow, userId, queryClient]);
}

/** The next change: the season begins or ends, the day ends, or a running question ends. */
function staleAtMs({ serverNow, start_date, end_date, today, ...rules }: BattleConfig): number {
  const servedAtMs = Date.parse(serverNow);
  const moments = [start_date, end_date, today?.nextAt ?? ""].map(Date.parse);
  if (today?.state === "running") {
    moments.push(servedAtMs + rules.question_time_limit * 1000);
  }
  return Math.min(...moments.filter((moment) => moment > servedAtMs));
}
