import { useEffect, useRef, useState } from "react";
import { PUBLIC_ROOM, readMessages } from "@/features/chat/api";
import type { ChatContext } from "@/features/chat/chat-context";
import type { Tab } from "@/features/chat/chat-machine";
import type { Room } from "@/features/chat/room";

const RETRY_DELAY_MS = 3000;

/** Reload the messages with actions whose outcome is unknown. */
export function useUnknownOutcomes(context: ChatContext): void {
  useUnknownOutcomesOf("club", context);
  useUnknownOutcomesOf("public", context);
}

function useUnknownOutcomesOf(tab: Tab, { member, state, dispatch }: ChatContext): void {
  const room = state.rooms[tab];
  const roomNow = useRef(room);
  roomNow.current = room;
  const [tries, setTries] = useState(0);
  const id = room.unsettledIds[0];
  const isOpen = state.link === "open";
  const path = tab === "club" ? member.club : PUBLIC_ROOM;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again
  useEffect(() => {
    if (!isOpen || id === undefined) {
      return;
    }
    const stop = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    readMessages(path, placeOf(id, roomNow.current), stop.signal).then(
      (page) => dispatch({ type: "settled", tab, id, page }),
      () => {
        if (!stop.signal.aborted) {
          again = setTimeout(() => setTries((count) => count + 1), RETRY_DELAY_MS);
        }
      },
    );
    return () => {
      stop.abort();
      clearTimeout(again);
    };
  }, [isOpen, id, tries, tab, path, dispatch]);
}

/** Where to read a message: right before the next one, or at the end. */
function placeOf(id: string, { messages }: Room): { before?: string; limit?: number } {
  const at = messages.findIndex((message) => message.id === id);
  const next = at === -1 ? undefined : messages[at + 1];
  return next === undefined ? {} : { before: next.id, limit: 1 };
}
