import { useEffect, useRef } from "react";
import type { ChatContext } from "@/features/chat/chat-context";
import type { ChatAction, Tab } from "@/features/chat/chat-machine";
import { changeDraft, draftOf } from "@/features/chat/chat-memory";
import { nextPending, type Pending } from "@/features/chat/room";
import { type Acknowledgement, numberIn, textIn } from "@/lib/live/socket-events";

/** A rate limit, or an outage after which a repeat is safe: neither is a refusal. */
const COME_AGAIN = [429, 503];
const MIN_PAUSE_SECONDS = 1;
const SLOW_MODE = "slow_mode";
const SLOW_PAUSES = [5, 15];
const NOT_FOUND = 404;
const QUOTE_GONE = "The message you answer is no longer there.";
const NOT_TAKEN = "The message was not sent.";

/** Send the queue: in the order typed, one at a time in each room, once connected. */
export function useDelivery(context: ChatContext): void {
  useDeliveryOf("club", context);
  useDeliveryOf("public", context);
}

function useDeliveryOf(tab: Tab, context: ChatContext): void {
  const { state, names, dispatch, line } = context;
  const now = useRef(context);
  now.current = context;
  const { heldUntilMs } = state.rooms[tab];
  const next = nextPending(state.rooms[tab]);
  const due = next?.status === "waiting" && heldUntilMs === 0 ? next : undefined;
  const isOpen = state.link === "open";
  const club = names[tab];

  useEffect(() => {
    if (isOpen && due !== undefined) {
      const { clientId, text, typedAtMs: timeMs, replyTo, mentions } = due;
      const replyToId = replyTo?.id ?? null;
      dispatch({ type: "handed-over", tab, clientId });
      line.current?.send({ club, text, clientId, timeMs, replyToId, mentions }, (answer) => {
        dispatch({ tab, clientId, ...outcome(answer, club, replyToId !== null) });
        if (answer?.code === SLOW_MODE) {
          returnToField(now.current, tab, due);
        }
      });
    }
  }, [tab, isOpen, due, club, dispatch, line]);

  useEffect(() => {
    if (heldUntilMs > 0) {
      const timer = setTimeout(
        () => dispatch({ type: "hold-over", tab }),
        Math.max(0, heldUntilMs - Date.now()),
      );
      return () => clearTimeout(timer);
    }
  }, [tab, heldUntilMs, dispatch]);
}

/**
 * Put a message that slow mode has refused back into the field, unless it is in use: then it waits
 * in the list, and is sent when the pause is over.
 */
function returnToField(
  { member, state, dispatch }: ChatContext,
  tab: Tab,
  { clientId, text, replyTo, mentions: ids }: Pending,
): void {
  const { id, club } = member;
  const draft = draftOf(id, club, tab);
  const mentions = state.members[tab].filter((one) => ids.includes(one.id));
  const isAlone = state.rooms[tab].pending.every((entry) => entry.clientId === clientId);
  if (isAlone && draft.text === "" && draft.replyTo === null && mentions.length === ids.length) {
    dispatch({ type: "discard", tab, clientId });
    changeDraft(id, club, tab, { text, replyTo, mentions });
  }
}

/** The pause of slow mode whose rest is this long, until the next user list says it. */
function slowPause(seconds: number): number {
  return SLOW_PAUSES.find((pause) => seconds <= pause) ?? Math.ceil(seconds);
}

type Outcome = Extract<ChatAction, { type: "stored" | "held" | "refused" | "lost" }>;

/** Map the server's response to the message's state; without a response it is sent again. */
function outcome(
  answer: Acknowledgement | null,
  club: string,
  isAnswer: boolean,
):
  | Pick<Outcome & { type: "lost" }, "type">
  | Omit<Outcome & { type: "stored" }, "tab" | "clientId">
  | Omit<Outcome & { type: "held" }, "tab" | "clientId">
  | Omit<Outcome & { type: "refused" }, "tab" | "clientId"> {
  if (answer === null) {
    return { type: "lost" };
  }
  const { status, message, data } = answer;
  const id = textIn(data, "id");
  if (status < 400 && id !== "") {
    const timeMs = numberIn(data, "time", Date.now());
    const answeredAtMs = Date.now();
    return { type: "stored", id, seq: numberIn(data, "seq"), timeMs, club, answeredAtMs };
  }
  if (COME_AGAIN.includes(status)) {
    const seconds = Math.max(MIN_PAUSE_SECONDS, numberIn(data, "retryAfter"));
    const slowSeconds = answer.code === SLOW_MODE ? slowPause(seconds) : 0;
    return { type: "held", untilMs: Date.now() + seconds * 1000, slowSeconds };
  }
  const hasLostQuote = isAnswer && status === NOT_FOUND;
  const sentence = hasLostQuote ? QUOTE_GONE : message || NOT_TAKEN;
  return { type: "refused", sentence, hasLostQuote };
}
