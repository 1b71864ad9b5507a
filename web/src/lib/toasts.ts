export type ToastKind = "error" | "success" | "info";

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

const REMOVE_OLDEST_EVERY_MS = 5000;
const MOST_AT_ONCE = 4;

let toasts: readonly Toast[] = [];
let nextId = 1;
let timer: ReturnType<typeof setInterval> | null = null;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  runTimer();
  for (const listener of listeners) {
    listener();
  }
}

/** One interval for all: it drops the oldest (spec 2), and stands still while nothing shows. */
function runTimer(): void {
  if (toasts.length > 0 && timer === null) {
    timer = setInterval(() => change(toasts.slice(1)), REMOVE_OLDEST_EVERY_MS);
  }
  if (toasts.length === 0) {
    holdToasts();
  }
}

/** Show a toast; the same text of the same kind is not stacked twice. */
export function showToast(kind: ToastKind, text: string): void {
  const others = toasts.filter((toast) => toast.kind !== kind || toast.text !== text);
  const id = nextId;
  nextId += 1;
  change([...others, { id, kind, text }].slice(-MOST_AT_ONCE));
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

export function clearToasts(): void {
  change([]);
}

/** Stop the clock while the member reads, that is while a toast is hovered or focused. */
export function holdToasts(): void {
  if (timer !== null) {
    clearInterval(timer);
    timer = null;
  }
}

export function releaseToasts(): void {
  runTimer();
}

export function readToasts(): readonly Toast[] {
  return toasts;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
