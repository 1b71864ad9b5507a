import { useCallback, useEffect, useReducer, useRef } from "react";
import type { ReactionKey } from "@/api/wire";
import { PUBLIC_ROOM } from "@/features/chat/api";
import type { ChatContext } from "@/features/chat/chat-context";
import type { ChatLine } from "@/features/chat/chat-line";
import { type ChatState, chatReducer, silentChat, type Tab } from "@/features/chat/chat-machine";
import { readQueue, writeQueue } from "@/features/chat/chat-memory";
import type { ChatMessage, Quote } from "@/features/chat/events";
import { useKeptMessages } from "@/features/chat/last-messages";
import { react, remove } from "@/features/chat/message-acts";
import { useDelivery } from "@/features/chat/use-delivery";
import { useHistory } from "@/features/chat/use-history";
import { useLine } from "@/features/chat/use-line";
import { useReadMarks } from "@/features/chat/use-read-marks";
import { useUnknownOutcomes } from "@/features/chat/use-unknown-outcomes";
import { newKey } from "@/lib/session/idempotency-keys";
import { type SessionUser, useMember } from "@/lib/session/session";

/** The screen's state, and the member's actions. */
export interface Chat {
  state: ChatState;
  names: Record<Tab, string>;
  openTab: (tab: Tab) => void;
  send: (text: string, replyTo: Quote | null, mentions: readonly string[]) => void;
  retry: (clientId: string) => void;
  /** Send a refused message without its quote. */
  unquote: (clientId: string) => void;
  /** Set or remove a reaction. */
  react: (message: ChatMessage, key: ReactionKey | null) => void;
  /** Delete an own message for everyone. */
  remove: (message: ChatMessage) => void;
  discard: (clientId: string) => void;
  loadOlder: () => void;
  /** Load messages that were not sent, by the first `seq`; returns the id of the first one. */
  loadSkipped: (from: number) => Promise<string | null>;
  /** Retry what failed to load: the join or the messages. */
  reload: () => void;
  reconnect: () => void;
  /** Set whether the member sees the end of the list. */
  attend: (isAttended: boolean, isAtEnd: boolean) => void;
}

/** Connect the socket, the rooms and the queue while the chat screen is open. */
export function useChat(): Chat {
  const member = useMember();
  const { id, firstName, lastName, avatar, club, clubName } = member;
  const [state, dispatch] = useReducer(chatReducer, member, () =>
    silentChat({ id, firstName, lastName, avatar }, readQueue(id, club)),
  );
  const line = useRef<ChatLine | null>(null);
  const names = { club: clubName, public: PUBLIC_ROOM };
  const context: ChatContext = { member, names, state, dispatch, line };

  // Before the connection: pending read marks are sent on leaving while it is still open.
  useReadMarks(context);
  const { join, reconnect } = useLine(context);
  const { loadHistory, loadOlder, loadSkipped } = useHistory(context);
  useDelivery(context);
  useUnknownOutcomes(context);
  useKeptMessages(id, club, state.rooms.club);
  useKeptMessages(id, PUBLIC_ROOM, state.rooms.public);
  useEffect(
    () =>
      writeQueue(id, club, {
        club: state.rooms.club.pending,
        public: state.rooms.public.pending,
      }),
    [id, club, state.rooms.club.pending, state.rooms.public.pending],
  );

  const { tab, link } = state;
  return {
    state,
    names,
    openTab: useCallback((next) => dispatch({ type: "tab", tab: next }), []),
    send: (text, replyTo, mentions) => {
      const typedAtMs = Date.now();
      dispatch({ type: "typed", tab, clientId: newKey(), text, typedAtMs, replyTo, mentions });
    },
    retry: (clientId) => dispatch({ type: "retry", tab, clientId }),
    unquote: (clientId) => dispatch({ type: "unquote", tab, clientId }),
    react: (message, key) => react(context, message, key),
    remove: (message) => remove(context, message),
    discard: (clientId) => dispatch({ type: "discard", tab, clientId }),
    loadOlder: () => loadOlder(tab),
    loadSkipped: (from) => loadSkipped(tab, from),
    reload: () => (link === "join-failed" ? join() : loadHistory(tab)),
    reconnect,
    attend: useCallback(
      (isAttended, isAtEnd) => dispatch({ type: "attended", isAttended, isAtEnd }),
      [],
    ),
  };
}

/** Whether everything that a connection needs is known (spec 5). */
export function canChat({ id, club, lastName, clubName, userToken }: SessionUser): boolean {
  return [id, club, lastName, clubName, userToken].every((value) => value !== "");
}
