import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/api/query-keys";
import type { ChatMessage } from "@/features/chat/events";
import type { Room } from "@/features/chat/room";

/** The newest page is visible offline (contract F-19). */
const MAX_MESSAGES = 50;

const NOTHING_MORE = { replyTo: null, mentions: [], counts: {}, mine: null };

/** Store the newest messages of a room for offline use. */
export function useKeptMessages(userId: string, room: string, { history, messages }: Room): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (history === "ready") {
      queryClient.setQueryData(keys.lastMessages(userId, room), messages.slice(-MAX_MESSAGES));
    }
  }, [queryClient, userId, room, history, messages]);
}

/** The messages of a room last seen on this phone; null for none. */
export function useLastMessages(userId: string, room: string): readonly ChatMessage[] | null {
  const { data } = useQuery<readonly ChatMessage[]>({
    queryKey: keys.lastMessages(userId, room),
    queryFn: skipToken,
  });
  return data === undefined || data.length === 0 ? null : data.map(completed);
}

/** A message as stored by an older version of this app, with defaults for newer fields. */
function completed(message: ChatMessage): ChatMessage {
  return { ...NOTHING_MORE, ...message };
}
