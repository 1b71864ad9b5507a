import type { ReactionKey } from "@/api/wire";
import type { ChatContext } from "@/features/chat/chat-context";
import type { Outcome } from "@/features/chat/chat-line";
import type { ChatMessage } from "@/features/chat/events";
import { readCounts, readReactionKey, withMine } from "@/features/chat/reactions";
import { showToast } from "@/lib/ui/toasts";

const OFFLINE = "You are offline. Try again when you are connected.";
const UNKNOWN = "We got no response. The chat will show whether it worked when you reconnect.";
const NOT_DONE = "That did not work. Please try again.";

/** Show the member's reaction at once, and correct it by the server's response. */
export function react(context: ChatContext, message: ChatMessage, key: ReactionKey | null): void {
  const { state, names, dispatch, line } = context;
  const { tab } = state;
  const { id } = message;
  dispatch({ type: "reacted", tab, id, reactions: withMine(message, key) });
  const then = (outcome: Outcome) => {
    const data = doneBy(outcome);
    if (data !== null) {
      const counts = readCounts(data["counts"]);
      const mine = readReactionKey(data["mine"]);
      dispatch({ type: "reacted", tab, id, reactions: { counts, mine } });
    } else {
      const { counts, mine } = message;
      dispatch({ type: "reacted", tab, id, reactions: { counts, mine } });
      showRefusal(context, id, outcome);
    }
  };
  line.current === null ? then("not-sent") : line.current.react(names[tab], id, key, then);
}

/** Delete a message; it leaves this screen with the server's response. */
export function remove(context: ChatContext, { id }: ChatMessage): void {
  const { state, names, dispatch, line } = context;
  const { tab } = state;
  const then = (outcome: Outcome) => {
    if (doneBy(outcome) !== null) {
      dispatch({ type: "hidden", tab, id });
    } else {
      showRefusal(context, id, outcome);
    }
  };
  line.current === null ? then("not-sent") : line.current.remove(names[tab], id, then);
}

/** Return the server's acknowledgement; null if the action failed or its outcome is unknown. */
function doneBy(outcome: Outcome): Record<string, unknown> | null {
  return typeof outcome === "object" && outcome.status < 400 ? outcome.data : null;
}

/** Unknown outcomes are resolved with the next connection. */
function showRefusal({ state, dispatch }: ChatContext, id: string, outcome: Outcome): void {
  if (outcome === "unknown") {
    dispatch({ type: "unsettled", tab: state.tab, id });
    showToast("error", UNKNOWN);
  } else {
    showToast("error", outcome === "not-sent" ? OFFLINE : outcome.message || NOT_DONE);
  }
}
