import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useCallback, useEffect, useReducer, useRef } from "react";
import { rememberMember } from "@/api/member";
import { refreshMember } from "@/api/profile";
import { keys } from "@/api/query-keys";
import { invalidateAfter } from "@/api/stale";
import { BattleLine } from "@/features/battle/battle-line";
import {
  type BattleAction,
  type BattleState,
  battleReducer,
  beforeMatch,
  isRunning,
} from "@/features/battle/battle-machine";
import { battleMemory } from "@/features/battle/battle-memory";
import { playFeedback } from "@/lib/device/feedback";
import { isHere, useReturn } from "@/lib/device/use-return";
import { serverNowMs } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";
import { showToast } from "@/lib/ui/toasts";
import { useLeaveGuard } from "@/lib/ui/use-leave-guard";

/** The server accepts an answer until half a second after the end, and ends a question itself. */
const SERVER_SPEAKS_FIRST_MS = 700;

/** The member's actions in the zone. */
export interface Battle {
  state: BattleState;
  enter: () => void;
  choose: (answer: string) => void;
  proceed: () => void;
  reconnect: () => void;
  /** Back to the landing, as after an ending. */
  leave: () => void;
}

/** Connect the socket, the state and the stored state of the zone while its screen is open. */
export function useBattle(): Battle {
  const member = useMember();
  const [state, dispatch] = useReducer(battleReducer, beforeMatch);
  const line = useRef<BattleLine | null>(null);
  const memberNow = useRef(member);
  memberNow.current = member;
  const queryClient = useQueryClient();

  const call = useCallback(
    (resume: boolean) => {
      line.current?.close();
      dispatch({ type: "enter" });
      battleMemory.write({ userId: memberNow.current.id, served: rememberedQuestion() });
      line.current = new BattleLine({
        member: memberNow.current,
        resume,
        onAction: dispatch,
        refused: () => void refreshMember(queryClient),
      });
    },
    [queryClient],
  );
  const leave = useCallback(() => {
    line.current?.close();
    line.current = null;
    battleMemory.clear();
    dispatch({ type: "leave" });
    void queryClient.refetchQueries({ queryKey: keys.season, stale: true });
  }, [queryClient]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another club has another line
  useEffect(() => {
    if (battleMemory.read()?.userId === member.id) {
      call(true);
    }
    return () => {
      line.current?.close();
      line.current = null;
    };
  }, [member.id, member.club, call]);

  useRevival(line, state);
  useMemory(state);
  useDelivery(line, state, dispatch);
  useTimeUp(state, dispatch);
  useLeaveGuard(isRunning(state.face));
  useConsequences(state, member.id);

  return {
    state,
    enter: useCallback(() => call(false), [call]),
    choose: useCallback((answer) => dispatch({ type: "chose", answer }), []),
    proceed: useCallback(() => {
      dispatch({ type: "continue" });
      line.current?.next();
    }, []),
    reconnect: useCallback(() => {
      if (line.current === null || state.face.kind === "taken-over") {
        call(true);
      } else {
        line.current.resume();
      }
    }, [call, state.face.kind]),
    leave,
  };
}

function rememberedQuestion() {
  return battleMemory.read()?.served ?? null;
}

/** The states without a running question. */
const IS_OVER: BattleState["face"]["kind"][] = ["ended", "refused", "taken-over"];

/** Reconnect when the network or the member returns (three retries are soon over). */
function useRevival(line: React.RefObject<BattleLine | null>, { link, face }: BattleState): void {
  const isOut = link === "closed" || IS_OVER.includes(face.kind);
  useReturn(() => {
    if (!isOut && isHere()) {
      line.current?.resume();
    }
  });
}

/** Store the running question for a reload; nothing once the zone is left. */
function useMemory({ face }: BattleState): void {
  useEffect(() => {
    const memory = battleMemory.read();
    if (memory === null) {
      return;
    }
    if (isRunning(face)) {
      battleMemory.write({ ...memory, served: face.served });
    }
    if (IS_OVER.includes(face.kind)) {
      battleMemory.clear();
    }
  }, [face]);
}

/** Start the server's timer for every question shown, and send a chosen answer once. */
function useDelivery(
  line: React.RefObject<BattleLine | null>,
  { face, link }: BattleState,
  dispatch: Dispatch<BattleAction>,
): void {
  const shownId = isRunning(face) && link === "open" ? face.served.question.id : null;
  useEffect(() => {
    if (shownId !== null) {
      line.current?.startTimer(shownId);
    }
  }, [line, shownId]);

  const due = face.kind === "sent" && face.delivery === "due" ? face : null;
  useEffect(() => {
    if (due !== null) {
      const { id } = due.served.question;
      const timeLeft = Math.max(0, Math.round((due.served.endsAtMs - serverNowMs()) / 1000));
      dispatch({ type: "handed-over", questionId: id });
      line.current?.answer(id, due.answer, timeLeft);
    }
  }, [line, due, dispatch]);
}

/** When the countdown ends, send an empty answer, also if the server's event is lost. */
function useTimeUp({ face }: BattleState, dispatch: Dispatch<BattleAction>): void {
  const open = face.kind === "question" ? face.served : null;
  const questionId = open?.question.id;
  const endsAtMs = open?.endsAtMs;
  useEffect(() => {
    if (questionId === undefined || endsAtMs === undefined) {
      return;
    }
    const timer = setTimeout(
      () => dispatch({ type: "time-up", questionId }),
      Math.max(0, endsAtMs - serverNowMs() + SERVER_SPEAKS_FIRST_MS),
    );
    return () => clearTimeout(timer);
  }, [questionId, endsAtMs, dispatch]);

  const ranOut = face.kind === "sent" && face.answer === "" ? face.served.question.id : null;
  useEffect(() => {
    if (ranOut !== null) {
      showToast("info", "Time's up!");
    }
  }, [ranOut]);
}

/** Update the rest of the app after a result, and toast the ending. */
function useConsequences({ face, link }: BattleState, userId: string): void {
  const queryClient = useQueryClient();
  const result = face.kind === "result" ? face.result : null;
  useEffect(() => {
    if (result !== null) {
      rememberMember(userId, result.badge === "" ? {} : { badge: result.badge });
      void invalidateAfter(queryClient, "battle-judged", userId);
      playFeedback(result.isCorrect ? "right" : "wrong");
    }
  }, [result, userId, queryClient]);

  const questionId = isRunning(face) ? face.served.question.id : null;
  useEffect(() => {
    if (questionId !== null || result !== null) {
      void invalidateAfter(queryClient, "battle-moved", userId);
    }
  }, [questionId, result, userId, queryClient]);

  const ending = face.kind === "ended" ? face.ending : null;
  useEffect(() => {
    if (ending !== null) {
      void invalidateAfter(queryClient, "battle-ended", userId);
    }
    if (ending?.how === "attempted-all" && ending.message !== "") {
      showToast("info", ending.message);
    }
  }, [ending, userId, queryClient]);

  const unreachable = link === "broken";
  useEffect(() => {
    if (unreachable) {
      showToast("error", "Unable to initiate a connection");
    }
  }, [unreachable]);
}
