import type { ReactionKey } from "@/api/wire";
import type { ChatMessage } from "@/features/chat/events";
import { readCounts, readReactionKey, withMine } from "@/features/chat/reactions";
import type { Workings } from "@/features/chat/workings";
import type { Acknowledgement } from "@/lib/socket-events";
import { showToast } from "@/lib/toasts";

const OFFLINE = "You are offline. Try again when you are connected.";
const NOT_DONE = "That did not work. Please try again.";

/** Show at once what the member feels about a message, and put it right by the server's answer. */
export function react(
  { state, names, dispatch, line }: Workings,
  message: ChatMessage,
  key: ReactionKey | null,
): void {
  const { tab } = state;
  const { id } = message;
  dispatch({ type: "reacted", tab, id, reactions: withMine(message, key) });
  const then = (answer: Acknowledgement | null) => {
    if (answer !== null && answer.status < 400) {
      const counts = readCounts(answer.data["counts"]);
      const mine = readReactionKey(answer.data["mine"]);
      dispatch({ type: "reacted", tab, id, reactions: { counts, mine } });
    } else {
      const { counts, mine } = message;
      dispatch({ type: "reacted", tab, id, reactions: { counts, mine } });
      tellRefusal(answer);
    }
  };
  line.current === null ? then(null) : line.current.react(names[tab], id, key, then);
}

/** Take a message back; it leaves this screen with the server's answer. */
export function remove({ state, names, dispatch, line }: Workings, { id }: ChatMessage): void {
  const { tab } = state;
  const then = (answer: Acknowledgement | null) => {
    if (answer !== null && answer.status < 400) {
      dispatch({ type: "hidden", tab, id });
    } else {
      tellRefusal(answer);
    }
  };
  line.current === null ? then(null) : line.current.remove(names[tab], id, then);
}

function tellRefusal(answer: Acknowledgement | null): void {
  showToast("error", answer === null ? OFFLINE : answer.message || NOT_DONE);
}
