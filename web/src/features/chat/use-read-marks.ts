import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { chatUnreadQuery, type UnreadRoom } from "@/api/chat-unread";
import { keys } from "@/api/query-keys";
import { markStale } from "@/api/stale";
import type { Tab } from "@/features/chat/chat-machine";
import { unreadIn } from "@/features/chat/room";
import type { Workings } from "@/features/chat/workings";

/** A burst of messages is marked once. */
const SEND_DELAY_MS = 500;
/** The server receives the last mark before the count is fetched. */
const ASK_AGAIN_AFTER_MS = 1500;

/** Send read marks to the server, and update the menu's unread badge. */
export function useReadMarks(workings: Workings): void {
  useMarkOf("club", workings);
  useMarkOf("public", workings);
  useBadge(workings);
}

function useMarkOf(tab: Tab, { state, names, line }: Workings): void {
  const { lastReadSeq, history } = state.rooms[tab];
  const isOpen = state.link === "open";
  const club = names[tab];
  const tell = useRef(() => {});
  useEffect(() => {
    if (!isOpen || history !== "ready" || lastReadSeq === 0) {
      return;
    }
    const now = () => {
      tell.current = () => {};
      line.current?.read(club, lastReadSeq);
    };
    tell.current = now;
    const soon = setTimeout(now, SEND_DELAY_MS);
    return () => clearTimeout(soon);
  }, [isOpen, history, club, lastReadSeq, line]);
  // A member who leaves at once has read it too.
  useEffect(() => () => tell.current(), []);
}

/** While the chat is open its count is newer than any response. */
function useBadge({ state, names, member }: Workings): void {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...chatUnreadQuery(member.id), enabled: false });
  const hasJoined = state.link !== "joining" && state.link !== "join-failed";
  const club = unreadIn(state.rooms.club, member.id);
  const open = unreadIn(state.rooms.public, member.id);
  const [clubSeq, publicSeq] = [state.rooms.club.lastSeq, state.rooms.public.lastSeq];
  const isTold = unreadOf(data, names.club) === club && unreadOf(data, names.public) === open;
  useEffect(() => {
    if (hasJoined && !isTold) {
      queryClient.setQueryData(keys.chatUnread(member.id), [
        { club: names.club, unread: club, lastSeq: clubSeq },
        { club: names.public, unread: open, lastSeq: publicSeq },
      ]);
    }
  }, [
    queryClient,
    hasJoined,
    isTold,
    member.id,
    names.club,
    names.public,
    club,
    open,
    clubSeq,
    publicSeq,
  ]);

  useEffect(
    () => () => {
      const ask = () => void markStale(queryClient, "room-read", member.id);
      setTimeout(ask, ASK_AGAIN_AFTER_MS);
    },
    [queryClient, member.id],
  );
}

function unreadOf(rooms: readonly UnreadRoom[] | undefined, club: string): number {
  return rooms?.find((room) => room.club === club)?.unread ?? 0;
}
