import type { BattleResult, Challenger, Ending, Served } from "@/features/battle/events";

/** An ordinary refusal of the server: code, sentence and details. */
export interface Refusal {
  code: string;
  message: string;
  data: Record<string, unknown>;
}

/**
 * The state of a chosen answer: `held` until the server confirms that its question still runs,
 * `due` to be sent now, `gone` once it was sent.
 */
type Delivery = "held" | "due" | "gone";

export type Face =
  | { kind: "idle" }
  | { kind: "connecting" }
  | { kind: "question"; served: Served }
  | { kind: "sent"; served: Served; answer: string; delivery: Delivery }
  | { kind: "result"; served: Served | null; result: BattleResult }
  | { kind: "ended"; ending: Ending }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "taken-over" }
  | { kind: "offline" };

/** `joining` is connected, but the server has not reported its state yet. */
export type Link = "closed" | "opening" | "joining" | "open" | "broken";

export interface BattleState {
  face: Face;
  link: Link;
  challengers: Challenger[];
}

export type BattleAction =
  | { type: "enter" }
  | { type: "leave" }
  | { type: "opening" }
  | { type: "connected" }
  | { type: "joined"; found: string }
  | { type: "gave-up" }
  | { type: "served"; served: Served; nowMs: number }
  | { type: "tick"; questionId: string; endsAtMs: number }
  | { type: "chose"; answer: string }
  | { type: "handed-over"; questionId: string }
  | { type: "time-up"; questionId: string }
  | { type: "result"; result: BattleResult }
  | { type: "continue" }
  | { type: "ended"; ending: Ending }
  | { type: "refused"; refusal: Refusal }
  | { type: "taken-over" }
  | { type: "challengers"; challengers: Challenger[] };

export const beforeMatch: BattleState = { face: { kind: "idle" }, link: "closed", challengers: [] };

/** A `time_update` moves the countdown only if the two differ by more than this. */
const NUDGE_FROM_MS = 1200;
/** If the server still runs a question for longer than this, it was timed out here too early. */
const STILL_RUNS_FROM_MS = 700;

/** The reducer of the whole Battle Zone. */
export function battleReducer(state: BattleState, action: BattleAction): BattleState {
  const { face } = state;
  switch (action.type) {
    case "enter":
    case "continue":
      return { ...state, face: { kind: "connecting" } };
    case "leave":
      return beforeMatch;
    case "opening":
      return { ...state, link: "opening", face: withHeldAnswer(reopened(face)) };
    case "connected":
      return { ...state, link: "joining" };
    case "joined":
      return { ...state, link: "open", face: faceWhenJoined(face, action.found) };
    case "gave-up":
      return { ...state, link: "broken", face: stranded(withHeldAnswer(face)) };
    case "served":
      return { ...state, link: "open", face: faceWhenServed(face, action.served, action.nowMs) };
    case "tick":
      return { ...state, face: faceWhenTicked(face, action.questionId, action.endsAtMs) };
    case "chose":
      return face.kind === "question" ? choose(state, face.served, action.answer) : state;
    case "time-up":
      return face.kind === "question" && face.served.question.id === action.questionId
        ? choose(state, face.served, "")
        : state;
    case "handed-over":
      return { ...state, face: handedOver(face, action.questionId) };
    case "result":
      return { ...state, link: "open", face: faceWhenResult(face, action.result) };
    case "ended":
      return { ...state, link: "open", face: faceWhenEnded(face, action.ending) };
    case "refused":
      return { ...state, link: "open", face: { kind: "refused", refusal: action.refusal } };
    case "taken-over":
      return { ...state, link: "closed", face: { kind: "taken-over" } };
    case "challengers":
      return { ...state, challengers: action.challengers };
  }
}

/** Whether a question is running for the member now. */
export function isRunning(face: Face): face is Extract<Face, { kind: "question" | "sent" }> {
  return face.kind === "question" || face.kind === "sent";
}

function choose(state: BattleState, served: Served, answer: string): BattleState {
  const delivery = state.link === "open" ? "due" : "held";
  return { ...state, face: { kind: "sent", served, answer, delivery } };
}

/** Without a connection, whether an answer arrived is unknown until the server reports it. */
function withHeldAnswer(face: Face): Face {
  return face.kind === "sent" ? { ...face, delivery: "held" } : face;
}

function reopened(face: Face): Face {
  return face.kind === "offline" ? { kind: "connecting" } : face;
}

function stranded(face: Face): Face {
  return face.kind === "connecting" ? { kind: "offline" } : face;
}

/** The server's state on entering; the events beside it carry the rest. */
function faceWhenJoined(face: Face, found: string): Face {
  if (found === "idle" && (face.kind === "connecting" || isRunning(face))) {
    return { kind: "idle" };
  }
  return found === "ended" && face.kind === "connecting"
    ? { kind: "ended", ending: { how: "attempted-all", message: "", nextOpensAt: null } }
    : face;
}

/**
 * An ending is kept, however often a connection returns after it; one known only from the
 * acknowledgement takes the text of the event that follows.
 */
function faceWhenEnded(face: Face, ending: Ending): Face {
  return face.kind === "ended" && face.ending.message !== "" ? face : { kind: "ended", ending };
}

function faceWhenServed(face: Face, served: Served, nowMs: number): Face {
  const { id } = served.question;
  if (face.kind === "result" && face.result.questionId === id) {
    return face;
  }
  if (face.kind !== "sent" || face.served.question.id !== id) {
    return { kind: "question", served };
  }
  const wasTooEarly = face.answer === "" && served.endsAtMs - nowMs > STILL_RUNS_FROM_MS;
  if (wasTooEarly && face.delivery === "held") {
    return { kind: "question", served };
  }
  return { ...face, served, delivery: face.delivery === "held" ? "due" : face.delivery };
}

function faceWhenTicked(face: Face, questionId: string, endsAtMs: number): Face {
  const isAboutIt = isRunning(face) && [face.served.question.id, ""].includes(questionId);
  if (!isAboutIt) {
    return face;
  }
  return Math.abs(endsAtMs - face.served.endsAtMs) > NUDGE_FROM_MS
    ? { ...face, served: { ...face.served, endsAtMs } }
    : face;
}

function handedOver(face: Face, questionId: string): Face {
  return face.kind === "sent" && face.served.question.id === questionId
    ? { ...face, delivery: "gone" }
    : face;
}

/** A result counts for the running question, and after a return for the one before. */
function faceWhenResult(face: Face, result: BattleResult): Face {
  if (isRunning(face)) {
    return face.served.question.id === result.questionId
      ? { kind: "result", served: face.served, result }
      : face;
  }
  return face.kind === "connecting" ? { kind: "result", served: null, result } : face;
}
