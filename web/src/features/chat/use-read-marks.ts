import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { chatUnreadKey } from "@/api/chat-unread";
import type { Tab } from "@/features/chat/chat-machine";
import { unreadIn } from "@/features/chat/room";
import type { Workings } from "@/features/chat/workings";

/** A burst of messages is marked once. */
const TELL_AFTER_MS = 500;
/** The server hears the last mark before it is asked. */
const ASK_AGAIN_AFTER_MS = 1500;

/** Tell the server how far the member has read, and the menu's badge what is left. */
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
    const soon = setTimeout(now, TELL_AFTER_MS);
    return () => clearTimeout(soon);
  }, [isOpen, history, club, lastReadSeq, line]);
  // Whoever leaves at once has read it all the same.
  useEffect(() => () => tell.current(), []);
}

function useBadge({ state, names, member }: Workings): void {
  const queryClient = useQueryClient();
  const key = useRef(chatUnreadKey(member.id));
  const isKnown = state.link === "open";
  const club = unreadIn(state.rooms.club, member.id);
  const open = unreadIn(state.rooms.public, member.id);
  useEffect(() => {
    if (isKnown) {
      const rooms = [
        { club: names.club, unread: club },
        { club: names.public, unread: open },
      ];
      queryClient.setQueryData(key.current, rooms);
    }
  }, [queryClient, isKnown, club, open, names.club, names.public]);
  useEffect(
    () => () => {
      const queryKey = key.current;
      setTimeout(() => void queryClient.invalidateQueries({ queryKey }), ASK_AGAIN_AFTER_MS);
    },
    [queryClient],
  );
}
