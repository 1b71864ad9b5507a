import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/api/query-keys";
import { invalidateAfter } from "@/api/stale";
import type { Match, Today } from "@/api/wire";
import { isRecord } from "@/lib/device/storage";
import { listenToPaymentChannel, sendOverPaymentChannel } from "@/lib/live/payment-channel";
import { setServerClock } from "@/lib/live/server-clock";
import { numberIn, textIn } from "@/lib/live/socket-events";
import { useMember } from "@/lib/session/session";

/** The server's limit of watched matches of other clubs. */
const MAX_WATCHED = 20;

type Update = Pick<
  Match,
  "id" | "version" | "state" | "phaseStartedAt" | "half" | "goals" | "kickOffAt"
> & {
  serverNow: string;
};

/** Keep matches up to date by the socket: the own club's automatically, and those of `watched`. */
export function useLiveMatches(watched: string[]): void {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  const ids = watched.slice(0, MAX_WATCHED).join(" ");
  useEffect(() => {
    const watch = () => {
      if (ids !== "") {
        sendOverPaymentChannel("watch_fixtures", { ids: ids.split(" ") }, () => undefined);
      }
    };
    watch();
    const stopListening = [
      listenToPaymentChannel("fixture_update", (event) => onUpdate(queryClient, userId, event)),
      listenToPaymentChannel("connect", () => {
        watch();
        void invalidateAfter(queryClient, "match-moved", userId);
      }),
    ];
    return () => {
      for (const stop of stopListening) {
        stop();
      }
    };
  }, [queryClient, userId, ids]);
}

function onUpdate(queryClient: QueryClient, userId: string, event: unknown): void {
  if (!isRecord(event) || textIn(event, "id") === "") {
    return;
  }
  const { serverNow, id, version, state, phaseStartedAt, half, goals, kickOffAt } =
    event as unknown as Update;
  setServerClock(serverNow);
  const change = { version, state, phaseStartedAt, half, goals, kickOffAt };
  let isNew = false;
  const moved = (match: Match): Match => {
    if (match.id !== id || match.version >= numberIn(event, "version")) {
      return match;
    }
    isNew = true;
    return { ...match, ...change };
  };
  queryClient.setQueriesData<unknown>({ queryKey: keys.allMatches(userId) }, (held: unknown) =>
    within(held, moved),
  );
  queryClient.setQueriesData<Today>({ queryKey: keys.allDays(userId) }, (day) =>
    day === undefined
      ? day
      : { ...day, nextMatch: day.nextMatch && moved(day.nextMatch), live: day.live.map(moved) },
  );
  if (isNew) {
    void invalidateAfter(queryClient, "match-moved", userId); // scorers and the table
  }
}

/** Update the match in every query: alone, in lists and their pages, beside a prediction. */
function within(held: unknown, moved: (match: Match) => Match): unknown {
  if (Array.isArray(held)) {
    return held.map((row) => within(row, moved));
  }
  if (isMatch(held)) {
    return moved(held);
  }
  if (isRecord(held) && isMatch(held["fixture"])) {
    return { ...held, fixture: moved(held["fixture"]) };
  }
  return isRecord(held) && Array.isArray(held["pages"])
    ? { ...held, pages: within(held["pages"], moved) }
    : held;
}

function isMatch(held: unknown): held is Match {
  return isRecord(held) && isRecord(held["home"]) && typeof held["version"] === "number";
}
