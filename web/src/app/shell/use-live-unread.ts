import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { isFull, type UnreadRoom } from "@/api/chat-unread";
import { keys } from "@/api/query-keys";
import { markStale } from "@/api/stale";
import { paths } from "@/lib/paths";
import { listenToPaymentChannel } from "@/lib/payment-channel";
import { useMember } from "@/lib/session";
import { numberIn, textIn } from "@/lib/socket-events";
import { isRecord } from "@/lib/storage";

/** What was asked for so lately is as new as a connection that was just made. */
const FRESH_FOR_MS = 10_000;
/** A room may move while it is asked about; what still differs then is told by its next move. */
const ROUNDS = 2;

/** Keep the number of unread messages up to date by what the server tells of the rooms. */
export function useLiveUnread(): void {
  const { id } = useMember();
  const queryClient = useQueryClient();
  // The open chat hears every message itself and keeps the number.
  const isChatOpen = useLocation().pathname === paths.chats;
  useEffect(() => {
    if (isChatOpen) {
      return;
    }
    const unread = new LiveUnread(queryClient, id);
    const stopListening = [
      listenToPaymentChannel("room_moved", (event) => unread.hear(event)),
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
  /** The newest message of each room, as far as it was told. */
  readonly #newest = new Map<string, number>();
  #isRequesting = false;

  constructor(queryClient: QueryClient, userId: string) {
    this.#queryClient = queryClient;
    this.#userId = userId;
  }

  hear(event: unknown): void {
    if (!isRecord(event)) {
      return;
    }
    this.#newest.set(textIn(event, "club"), numberIn(event, "last"));
    void this.#catchUp();
  }

  /** Ask for what was missed while nobody listened. */
  catchUpAfterAbsence(): void {
    const askedAt =
      this.#queryClient.getQueryState(keys.chatUnread(this.#userId))?.dataUpdatedAt ?? 0;
    if (askedAt > 0 && Date.now() - askedAt > FRESH_FOR_MS) {
      void this.#ask();
    }
  }

  /** Ask until nothing is newer than what is known, one question at a time. */
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

  /** Say whether a room that the member has joined has moved, and the badge may show it. */
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
    return markStale(this.#queryClient, "room-moved", this.#userId);
  }
}
