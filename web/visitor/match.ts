const SECOND_MS = 1000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const POLL_INTERVAL_MS = 30_000;

/** The time until a kick-off in words, like the server's: `in 2 days 3 h`, `in 4 min 05 s`. */
export function until(kickOff: string, nowMs: number): string {
  const left = Math.floor((Date.parse(kickOff) - nowMs) / SECOND_MS);
  if (left <= 0) {
    return "Kick-off!";
  }
  const days = Math.floor(left / DAY_SECONDS);
  const hours = Math.floor((left % DAY_SECONDS) / HOUR_SECONDS);
  const minutes = Math.floor((left % HOUR_SECONDS) / MINUTE_SECONDS);
  if (days > 0) {
    return `in ${days} ${days > 1 ? "days" : "day"} ${hours} h`;
  }
  const seconds = String(left % MINUTE_SECONDS).padStart(2, "0");
  return hours > 0 ? `in ${hours} h ${minutes} min` : `in ${minutes} min ${seconds} s`;
}

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
