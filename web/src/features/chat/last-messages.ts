import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/api/query-keys";
import type { ChatMessage } from "@/features/chat/events";
import type { Room } from "@/features/chat/room";

/** What is seen without a network is the newest page (contract F-19). */
const MAX_MESSAGES = 50;

const NOTHING_MORE = { replyTo: null, mentions: [], counts: {}, mine: null };

/** Keep the newest messages of a room for the time without a network. */
export function useKeptMessages(userId: string, room: string, { history, messages }: Room): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (history === "ready") {
      queryClient.setQueryData(keys.lastMessages(userId, room), messages.slice(-MAX_MESSAGES));
    }
  }, [queryClient, userId, room, history, messages]);
}

/** The messages that this phone saw last in a room; null for none. */
export function useLastMessages(userId: string, room: string): readonly ChatMessage[] | null {
  const { data } = useQuery<readonly ChatMessage[]>({
    queryKey: keys.lastMessages(userId, room),
    queryFn: skipToken,
  });
  return data === undefined || data.length === 0 ? null : data.map(completed);
}

/** A message as an older version of this app may have kept it, with what it did not know. */
function completed(message: ChatMessage): ChatMessage {
  return { ...NOTHING_MORE, ...message };
}
