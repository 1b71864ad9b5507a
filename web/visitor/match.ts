import { until } from "../src/lib/format/until.ts";

const SECOND_MS = 1000;
const POLL_INTERVAL_MS = 30_000;

/** Count down to the kick-offs of a page. */
export function startCountdowns(page: ParentNode): void {
  const shown = [...page.querySelectorAll<HTMLTimeElement>("[data-countdown]")];
  if (shown.length === 0) {
    return;
  }
  setInterval(() => {
    for (const each of shown) {
      each.textContent = until(each.dateTime, Date.now());
    }
  }, SECOND_MS);
}

/** Follow the running matches of a page while it is visible. */
export function startLiveScores(page: ParentNode): void {
  for (const part of page.querySelectorAll<HTMLElement>("[data-live]")) {
    setInterval(() => {
      if (document.visibilityState === "visible") {
        void refresh(part);
      }
    }, POLL_INTERVAL_MS);
  }
}

/** Replace a match by the one of its current page, where the server has rendered it. */
async function refresh(part: HTMLElement): Promise<void> {
  try {
    const response = await fetch(`/m/${part.dataset["live"]}`);
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const name of ["[data-score]", "[data-state]"]) {
      const text = fresh.querySelector(name)?.textContent;
      const shown = part.querySelector(name);
      if (text != null && shown !== null) {
        shown.textContent = text;
      }
    }
  } catch {
    // Offline: the score stays, and the next try follows.
  }
}
