import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useCallback, useEffect, useRef, useState } from "react";
import { refreshIfNotFound } from "@/api/profile";
import { joinChat, PUBLIC_ROOM } from "@/features/chat/api";
import type { ChatContext } from "@/features/chat/chat-context";
import { ChatLine, type ChatLineHandlers } from "@/features/chat/chat-line";
import type { ChatAction, Tab } from "@/features/chat/chat-machine";
import { isRecord } from "@/lib/device/storage";
import { isHere, useReturn } from "@/lib/device/use-return";
import { Refusal } from "@/lib/live/failures";
import { serverNowMs } from "@/lib/live/server-clock";
import { prepareSockets } from "@/lib/live/socket";
import { textIn } from "@/lib/live/socket-events";
import type { SessionUser } from "@/lib/session/session";

/** A phone's clock may be ahead of the server's: retries have a minimum interval. */
const MIN_REJOIN_DELAY_MS = 30_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Join, then open the connection; reconnect when the network or the member returns. */
export function useLine(context: ChatContext) {
  const { member, dispatch, line } = context;
  const [round, setRound] = useState(0);
  const join = useCallback(() => setRound((count) => count + 1), []);
  const memberNow = useRef(member);
  memberNow.current = member;
  const queryClient = useQueryClient();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round or token joins again
  useEffect(() => {
    const stop = new AbortController();
    const enter = () => joinRooms(memberNow.current, dispatch, queryClient, stop.signal);
    dispatch({ type: "link", link: "joining" });
    prepareSockets();
    enter()
      .then(() => {
        line.current = new ChatLine(
          memberNow.current,
          lineHandlers(memberNow.current, dispatch, enter),
        );
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) {
          showRefusal(error, "join-failed", dispatch);
        }
      });
    return () => {
      stop.abort();
      line.current?.close();
      line.current = null;
    };
  }, [dispatch, line, queryClient, round, member.id, member.userToken]);

  const reconnect = useCallback(() => line.current?.resume(), [line]);
  useReconnect(context, join, reconnect);
  useEndOfBan(context, join);
  return { join, reconnect };
}

async function joinRooms(
  { clubName, id }: SessionUser,
  dispatch: Dispatch<ChatAction>,
  queryClient: QueryClient,
  signal: AbortSignal,
): Promise<void> {
  const rooms = await joinChat(clubName, id, signal).catch((error: unknown) => {
    refreshIfNotFound(queryClient, error);
    throw error;
  });
  signal.throwIfAborted();
  for (const { club, ...unreadState } of rooms) {
    dispatch({
      type: "joined",
      tab: club === PUBLIC_ROOM ? "public" : "club",
      unreadState: unreadState,
    });
  }
}

/** A ban is not a failure: nothing is retried until it ends, or the member returns. */
function showRefusal(
  error: unknown,
  otherwise: "join-failed" | "closed",
  dispatch: Dispatch<ChatAction>,
): void {
  if (error instanceof Refusal && error.code === "banned") {
    const until = isRecord(error.data) ? textIn(error.data, "until") : "";
    dispatch({ type: "banned", until: until === "" ? null : until });
  } else {
    dispatch({ type: "link", link: otherwise });
  }
}

/** Map the connection's events to actions of a room. */
function lineHandlers(
  member: SessionUser,
  dispatch: Dispatch<ChatAction>,
  enter: () => Promise<void>,
): ChatLineHandlers {
  const names = { club: member.clubName, public: PUBLIC_ROOM };
  const tabOf = (club: string): Tab | null => {
    if (club === PUBLIC_ROOM) {
      return "public";
    }
    return club === member.clubName ? "club" : null;
  };
  return {
    opening: () => dispatch({ type: "link", link: "opening" }),
    connected: () => dispatch({ type: "link", link: "open" }),
    gaveUp: () => dispatch({ type: "link", link: "closed" }),
    mustJoin: (again) =>
      void enter().then(again, (error: unknown) => showRefusal(error, "closed", dispatch)),
    users: (list) => dispatch({ type: "users", list, names }),
    message: (message) => {
      const tab = tabOf(message.club);
      if (tab !== null) {
        dispatch({ type: "arrived", tab, message });
      }
    },
    skipped: (club, { from, to }) => {
      const tab = tabOf(club);
      if (tab !== null) {
        dispatch({ type: "skipped", tab, from, to });
      }
    },
    hidden: (id, club) => {
      const tab = tabOf(club);
      if (tab !== null) {
        dispatch({ type: "hidden", tab, id });
      }
    },
    reactions: (id, club, counts) => {
      const tab = tabOf(club);
      if (tab !== null) {
        dispatch({ type: "reactions", tab, id, counts });
      }
    },
  };
}

/** Five retries are soon over, and a dead connection may not know it: check after a change. */
function useReconnect(
  { state, names, line }: ChatContext,
  join: () => void,
  reconnect: () => void,
) {
  useReturn(() => {
    const { link, rooms, tab } = state;
    if (link === "open") {
      line.current?.probe(names[tab], rooms[tab].lastReadSeq);
    } else if (isHere()) {
      link === "join-failed" || link === "banned" ? join() : reconnect();
    }
  });
}

/** When a ban has ended, join again. */
function useEndOfBan({ state }: ChatContext, join: () => void): void {
  const { link, bannedUntil } = state;
  useEffect(() => {
    if (link === "banned" && bannedUntil !== null) {
      const leftMs = Date.parse(bannedUntil) - serverNowMs();
      const timer = setTimeout(join, Math.min(Math.max(leftMs, MIN_REJOIN_DELAY_MS), MAX_TIMER_MS));
      return () => clearTimeout(timer);
    }
  }, [link, bannedUntil, join]);
}
