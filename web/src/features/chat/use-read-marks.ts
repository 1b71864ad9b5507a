import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { chatUnreadQuery, type UnreadRoom } from "@/api/chat-unread";
import { keys } from "@/api/query-keys";
import { invalidateAfter } from "@/api/stale";
import type { ChatContext } from "@/features/chat/chat-context";
import type { Tab } from "@/features/chat/chat-machine";
import { unreadIn } from "@/features/chat/room";

/** A burst of messages is marked once. */
const SEND_DELAY_MS = 500;
/** The server receives the last mark before the count is fetched. */
const REFETCH_DELAY_MS = 1500;

/** Send read marks to the server, and update the menu's unread badge. */
export function useReadMarks(context: ChatContext): void {
  useMarkOf("club", context);
  useMarkOf("public", context);
  useBadge(context);
}

function useMarkOf(tab: Tab, { state, names, line }: ChatContext): void {
  const { lastReadSeq, history } = state.rooms[tab];
  const isOpen = state.link === "open";
  const club = names[tab];
  const sendNow = useRef(() => {});
  useEffect(() => {
    if (!isOpen || history !== "ready" || lastReadSeq === 0) {
      return;
    }
    const now = () => {
      sendNow.current = () => {};
      line.current?.read(club, lastReadSeq);
    };
    sendNow.current = now;
    const soon = setTimeout(now, SEND_DELAY_MS);
    return () => clearTimeout(soon);
  }, [isOpen, history, club, lastReadSeq, line]);
  // A member who leaves at once has read it too.
  useEffect(() => () => sendNow.current(), []);
}

/** While the chat is open its count is newer than any response. */
function useBadge({ state, names, member }: ChatContext): void {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...chatUnreadQuery(member.id), enabled: false });
  const hasJoined = state.link !== "joining" && state.link !== "join-failed";
  const club = unreadIn(state.rooms.club, member.id);
  const open = unreadIn(state.rooms.public, member.id);
  const [clubSeq, publicSeq] = [state.rooms.club.lastSeq, state.rooms.public.lastSeq];
  const isCurrent = unreadOf(data, names.club) === club && unreadOf(data, names.public) === open;
  useEffect(() => {
    if (hasJoined && !isCurrent) {
      queryClient.setQueryData(keys.chatUnread(member.id), [
        { club: names.club, unread: club, lastSeq: clubSeq },
        { club: names.public, unread: open, lastSeq: publicSeq },
      ]);
    }
  }, [
    queryClient,
    hasJoined,
    isCurrent,
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
      const ask = () => void invalidateAfter(queryClient, "room-read", member.id);
      setTimeout(ask, REFETCH_DELAY_MS);
    },
    [queryClient, member.id],
  );
}

function unreadOf(rooms: readonly UnreadRoom[] | undefined, club: string): number {
  return rooms?.find((room) => room.club === club)?.unread ?? 0;
}
