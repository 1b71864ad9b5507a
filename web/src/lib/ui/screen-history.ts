import {
  createPath,
  type Location,
  NavigationType,
  type Navigator,
  parsePath,
  type To,
} from "react-router-dom";
import { isRecord } from "@/lib/device/storage";
import { overlayCount, pressBack, subscribeToOverlays } from "@/lib/ui/overlays";

/** A step within the page takes milliseconds; a browser that refuses one fires no event. */
const STEP_TIMEOUT_MS = 1000;

/** What a history entry stores. */
interface Entry {
  /** The state that the screen was opened with. */
  usr: unknown;
  key: string;
  /** The same for a screen, whatever its address becomes, and for the overlays above it. */
  screen: string;
  /** The number of overlays that are open at this entry. */
  overlays: number;
}

interface Shown {
  action: NavigationType;
  location: Location;
}

/**
 * The browser's history for the router: an entry for each screen, and one for each open overlay.
 *
 * Back over an overlay's entry closes the overlay, and the router hears nothing of it. An overlay
 * that stays open gets its entry back. The entry of one that is closed otherwise stays: the next
 * overlay takes it, and Back passes it. To remove it would be a step in the history, and a step
 * aborts a navigation to another page that the browser has begun. For the same reason a replaced
 * address is written to the current entry; the entries below get it when Back reaches them. A screen
 * is opened from the entry of the screen before, so that no overlay's entry is left in between.
 * Forward does not open a closed overlay again.
 */
export class ScreenHistory implements Navigator {
  #entry = currentEntry();
  #address = window.location.href;
  #action = NavigationType.Pop;
  #onChange: (shown: Shown) => void = () => undefined;
  /** Set while a step of our own is in progress. */
  #step: ReturnType<typeof setTimeout> | null = null;
  #later: ReturnType<typeof setTimeout> | undefined;
  /** Navigations that wait for the screen's own entry. */
  #waiting: (() => void)[] = [];

  get shown(): Shown {
    return { action: this.#action, location: currentLocation() };
  }

  /** Call `onChange` for every change of screen; returns a function that stops. */
  listen(onChange: (shown: Shown) => void): () => void {
    this.#onChange = onChange;
    window.addEventListener("popstate", this.#onPop);
    const stopOverlays = subscribeToOverlays(this.#settleLater);
    return () => {
      stopOverlays();
      clearTimeout(this.#later);
      window.removeEventListener("popstate", this.#onPop);
    };
  }

  /** Carry out what waits for the screen's own entry, or give every open overlay an entry. */
  settle = (): void => {
    if (this.#step !== null) {
      return;
    }
    const { overlays } = this.#entry;
    if (this.#waiting.length === 0) {
      for (let count = overlays + 1; count <= overlayCount(); count += 1) {
        this.#cover(count);
      }
    } else if (overlays > 0) {
      this.#goBy(-overlays);
    } else {
      this.#navigate();
    }
  };

  createHref = (to: To): string => (typeof to === "string" ? to : createPath(to));

  encodeLocation = (to: To) => {
    const { pathname, search, hash } = new URL(this.createHref(to), window.location.href);
    return { pathname, search, hash };
  };

  push = (to: To, state?: unknown): void => this.#onScreen(() => this.#open(to, state, "Push"));

  replace = (to: To, state?: unknown): void => {
    if (this.#step === null) {
      this.#open(to, state, "Replace");
    } else {
      this.#onScreen(() => this.#open(to, state, "Replace"));
    }
  };

  go = (delta: number): void => this.#onScreen(() => this.#goBy(delta));

  /** Navigate from the screen's own entry: now, or after the steps to get there. */
  #onScreen(navigate: () => void): void {
    this.#waiting.push(navigate);
    this.settle();
  }

  /** Navigate; what stays open is covered again once the new screen is drawn. */
  #navigate(): void {
    while (this.#step === null) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        return;
      }
      next();
    }
  }

  #open(to: To, usr: unknown, how: "Push" | "Replace"): void {
    const { screen, overlays } =
      how === "Replace" ? this.#entry : { screen: newKey(), overlays: 0 };
    const entry: Entry = { usr: usr ?? null, key: newKey(), screen, overlays };
    const parts = typeof to === "string" ? parsePath(to) : to;
    const address = this.createHref({ pathname: window.location.pathname, ...parts });
    if (how === "Replace") {
      window.history.replaceState(entry, "", address);
    } else {
      try {
        window.history.pushState(entry, "", address);
      } catch {
        window.location.assign(address); // some browsers allow only a hundred entries
        return;
      }
    }
    this.#enter(entry);
    this.#changed(NavigationType[how]);
  }

  /** Add the entry of an overlay. The scroll position stays: closing must not undo a scroll. */
  #cover(overlays: number): void {
    window.history.scrollRestoration = "manual";
    this.#entry = { ...this.#entry, overlays };
    window.history.pushState(this.#entry, "");
  }

  #enter(entry: Entry): void {
    this.#entry = entry;
    this.#address = window.location.href;
  }

  #goBy(delta: number): void {
    this.#step = setTimeout(this.#onRefused, STEP_TIMEOUT_MS);
    window.history.go(delta);
  }

  #endStep(): boolean {
    const wasStepping = this.#step !== null;
    clearTimeout(this.#step ?? undefined);
    this.#step = null;
    return wasStepping;
  }

  /** The browser did not step: navigate from where we are. */
  #onRefused = (): void => {
    this.#endStep();
    this.#navigate();
  };

  #onPop = (): void => {
    const before = this.#entry;
    const found = currentEntry();
    if (found.screen === before.screen && found.key !== before.key) {
      // The address was replaced at another entry of this screen.
      window.history.replaceState({ ...before, overlays: found.overlays }, "", this.#address);
    }
    this.#enter(currentEntry());
    const isOwnStep = this.#endStep();
    const { key, overlays } = this.#entry;
    if (overlays === 0) {
      window.history.scrollRestoration = "auto";
    }
    if (key !== before.key) {
      this.#changed(NavigationType.Pop);
    } else if (!isOwnStep && overlays < before.overlays) {
      this.#back();
    }
    if (isOwnStep) {
      this.settle();
    } else {
      this.#settleLater();
    }
  };

  /** Back was pressed: close the top overlay, or pass what is left over of closed ones. */
  #back(): void {
    if (overlayCount() > 0) {
      pressBack();
    } else {
      this.#goBy(-1 - this.#entry.overlays);
    }
  }

  /** Once React has drawn what the event changes: an overlay may give way to another. */
  #settleLater = (): void => {
    clearTimeout(this.#later);
    this.#later = setTimeout(this.settle);
  };

  #changed(action: NavigationType): void {
    this.#action = action;
    this.#onChange(this.shown);
  }
}

/** The current entry; one without a key, such as of a link within the page, gets one. */
function currentEntry(): Entry {
  const stored: unknown = window.history.state;
  const { usr, key, screen, overlays }: Record<string, unknown> = isRecord(stored) ? stored : {};
  const entry = {
    usr: usr ?? null,
    key: typeof key === "string" ? key : newKey(),
    screen: typeof screen === "string" ? screen : newKey(),
    overlays: typeof overlays === "number" ? overlays : 0,
  };
  if (entry.key !== key || entry.screen !== screen) {
    window.history.replaceState(entry, "");
  }
  return entry;
}

function currentLocation(): Location {
  const { pathname, search, hash } = window.location;
  const { usr, key } = currentEntry();
  return { pathname, search, hash, state: usr, key };
}

function newKey(): string {
  return Math.random().toString(36).slice(2, 10);
}
