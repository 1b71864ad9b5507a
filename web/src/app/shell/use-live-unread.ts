import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { isFull, type UnreadRoom } from "@/api/chat-unread";
import { keys } from "@/api/query-keys";
import { invalidateAfter } from "@/api/stale";
import { isRecord } from "@/lib/device/storage";
import { paths } from "@/lib/format/paths";
import { listenToPaymentChannel } from "@/lib/live/payment-channel";
import { numberIn, textIn } from "@/lib/live/socket-events";
import { useMember } from "@/lib/session/session";

/** A fetch this recent is as new as a connection that was just made. */
const FRESH_FOR_MS = 10_000;
/** A room may move while it is fetched; its next move corrects any remaining difference. */
const ROUNDS = 2;

/** Keep the number of unread messages up to date by the server's room events. */
export function useLiveUnread(): void {
  const { id } = useMember();
  const queryClient = useQueryClient();
  // The open chat receives every message and keeps the number itself.
  const isChatOpen = useLocation().pathname === paths.chats;
  useEffect(() => {
    if (isChatOpen) {
      return;
    }
    const unread = new LiveUnread(queryClient, id);
    const stopListening = [
      listenToPaymentChannel("room_moved", (event) => unread.onRoomMoved(event)),
      listenToPaymentChannel("connect", () => unread.catchUpAfterAbsence()),
    ];
    return () => {
      for (const stop of stopListening) {
        stop();
      }
    };
  }, [isChatOpen, queryClient, id]);
}

class LiveUnread {
  readonly #queryClient: QueryClient;
  readonly #userId: string;
  /** The newest known message of each room. */
  readonly #newest = new Map<string, number>();
  #isRequesting = false;

  constructor(queryClient: QueryClient, userId: string) {
    this.#queryClient = queryClient;
    this.#userId = userId;
  }

  onRoomMoved(event: unknown): void {
    if (!isRecord(event)) {
      return;
    }
    this.#newest.set(textIn(event, "club"), numberIn(event, "last"));
    void this.#catchUp();
  }

  /** Fetch the moves missed while disconnected. */
  catchUpAfterAbsence(): void {
    const askedAt =
      this.#queryClient.getQueryState(keys.chatUnread(this.#userId))?.dataUpdatedAt ?? 0;
    if (askedAt > 0 && Date.now() - askedAt > FRESH_FOR_MS) {
      void this.#ask();
    }
  }

  /** Refetch until no room is newer than the data, one request at a time. */
  async #catchUp(): Promise<void> {
    if (this.#isRequesting) {
      return;
    }
    this.#isRequesting = true;
    for (let round = 0; round < ROUNDS && this.#isBehind(); round += 1) {
      await this.#ask();
    }
    this.#isRequesting = false;
  }

  /** Return whether a joined room has moved and the badge may change. */
  #isBehind(): boolean {
    const rooms = this.#queryClient.getQueryData<UnreadRoom[]>(keys.chatUnread(this.#userId));
    if (rooms === undefined) {
      return true;
    }
    return (
      !isFull(rooms) && rooms.some((room) => (this.#newest.get(room.club) ?? 0) > room.lastSeq)
    );
  }

  #ask(): Promise<void> {
    return invalidateAfter(this.#queryClient, "room-moved", this.#userId);
  }
}
