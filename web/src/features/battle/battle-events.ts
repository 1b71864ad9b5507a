import type { BattleAction } from "@/features/battle/battle-machine";
import {
  readAttemptedAll,
  readChallengers,
  readEmpty,
  readNoMore,
  readResult,
  readServed,
  readTick,
} from "@/features/battle/events";
import { isRecord } from "@/lib/device/storage";
import type { SocketEvents } from "@/lib/live/reconnecting-socket";
import { serverNowMs, setServerClock } from "@/lib/live/server-clock";
import { textIn } from "@/lib/live/socket-events";

type EventParser = (event: unknown) => BattleAction | null;

/** Every event of the game, mapped to an action; invalid payloads are dropped. */
const EVENTS: Record<string, EventParser> = {
  new_question: (event) => {
    setServerClock(isRecord(event) ? textIn(event, "serverNow") : "");
    const nowMs = serverNowMs();
    const served = readServed(event, nowMs);
    return served && { type: "served", served, nowMs };
  },
  time_update: (event) => {
    const tick = readTick(event, serverNowMs());
    return tick && { type: "tick", ...tick };
  },
  time_up: (event) =>
    isRecord(event) ? { type: "time-up", questionId: textIn(event, "questionId") } : null,
  answer_result: (event) => {
    const result = readResult(event);
    return result && { type: "result", result };
  },
  attempted_all_question: (event) => ({ type: "ended", ending: readAttemptedAll(event) }),
  no_more_questions: (event) => ({ type: "ended", ending: readNoMore(event) }),
  empty_question: (event) => ({ type: "ended", ending: readEmpty(event) }),
  challengers_list: (event) => ({ type: "challengers", challengers: readChallengers(event) }),
  session_taken_over: () => ({ type: "taken-over" }),
};

/** Pass every event of the game to `onAction` as an action. */
export function handleGameEvents(
  socket: SocketEvents,
  onAction: (action: BattleAction) => void,
): void {
  for (const [name, parse] of Object.entries(EVENTS)) {
    socket.on(name, (event: unknown) => {
      const action = parse(event);
      if (action !== null) {
        onAction(action);
      }
    });
  }
}
