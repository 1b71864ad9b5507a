/** Work that outlives its screen until it is saved. */
export interface UnsavedWork {
  /** The page is hidden, and may never run again. */
  onHidden: () => void;
  /** The network is back. */
  onOnline: () => void;
  /** Forget it. */
  drop: () => void;
}

const works = new Set<UnsavedWork>();

/** Notify `work` of the page and the network for as long as the page lives. */
export function registerUnsavedWork(work: UnsavedWork): void {
  works.add(work);
}

/** Forget all unsaved work. */
export function dropUnsavedWork(): void {
  for (const work of works) {
    work.drop();
  }
}

function hideAll(): void {
  for (const work of works) {
    work.onHidden();
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") {
    hideAll();
  }
});
window.addEventListener("pagehide", hideAll);
window.addEventListener("online", () => {
  for (const work of works) {
    work.onOnline();
  }
});
