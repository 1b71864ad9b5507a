export type ToastKind = "error" | "success" | "info";

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

const REMOVE_INTERVAL_MS = 5000;
const MAX_PAUSE_MS = 10_000;
const ROOM = 4;
const ROOM_ON_A_PHONE = 2;
const PHONE = "(max-width: 599px)";

/** Errors without room, oldest first: shown when there is room again. */
let waiting: readonly Toast[] = [];
let shown: readonly Toast[] = [];
let nextId = 1;
let timer: ReturnType<typeof setInterval> | undefined;
let pause: { since: number; end: ReturnType<typeof setTimeout> } | null = null;
let pauseLeftMs = MAX_PAUSE_MS;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  const room = matchMedia(PHONE).matches ? ROOM_ON_A_PHONE : ROOM;
  const tooMany = next.slice(0, Math.max(0, next.length - room));
  waiting = tooMany.filter((toast) => toast.kind === "error");
  shown = next.slice(tooMany.length);
  runTimer();
  for (const listener of listeners) {
    listener();
  }
}

/** One interval for all: it drops the oldest (spec 2), and is paused while none is shown. */
function runTimer(): void {
  if (shown.length === 0) {
    releaseToasts();
    stopTimer();
    pauseLeftMs = MAX_PAUSE_MS;
  } else if (pause === null) {
    timer ??= setInterval(() => change([...waiting, ...shown.slice(1)]), REMOVE_INTERVAL_MS);
  }
}

function stopTimer(): void {
  clearInterval(timer);
  timer = undefined;
}

function keep(stays: (toast: Toast) => boolean): void {
  change([...waiting, ...shown].filter(stays));
}

/**
 * Show a toast; an identical one is not stacked.
 *
 * A success ends earlier errors. Without room the newest are shown: an error waits until there is
 * room, anything else is dropped.
 */
export function showToast(kind: ToastKind, text: string): void {
  const others = [...waiting, ...shown].filter(
    (toast) =>
      !(kind === "success" && toast.kind === "error") &&
      (toast.kind !== kind || toast.text !== text),
  );
  const id = nextId;
  nextId += 1;
  change([...others, { id, kind, text }]);
}

export function dismissToast(id: number): void {
  keep((toast) => toast.id !== id);
}

/** Errors belong to their screen; a success may be the reason for leaving it. */
export function dropErrorToasts(): void {
  keep((toast) => toast.kind !== "error");
}

export function clearToasts(): void {
  change([]);
}

/**
 * Pause the timer while the member reads: while a toast is hovered, focused or pressed.
 *
 * All pauses together last ten seconds at most, until no toast is shown.
 */
export function pauseToasts(): void {
  if (pause === null && shown.length > 0 && pauseLeftMs > 0) {
    stopTimer();
    pause = { since: Date.now(), end: setTimeout(releaseToasts, pauseLeftMs) };
  }
}

export function releaseToasts(): void {
  if (pause !== null) {
    clearTimeout(pause.end);
    pauseLeftMs -= Date.now() - pause.since;
    pause = null;
    runTimer();
  }
}

export function readToasts(): readonly Toast[] {
  return shown;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
