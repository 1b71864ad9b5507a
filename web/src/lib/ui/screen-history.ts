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
  /** The same for a screen and for the overlays above it. */
  key: string;
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
 * Back over an overlay's entry closes the overlay, and the router hears nothing of it. Entries
 * follow the overlays: one that is closed otherwise loses its entry, and one that stays open gets
 * it back. A screen is opened from the entry of the screen before, so that no overlay's entry is
 * left in between. Forward does not open a closed overlay again.
 *
 * A step of the history aborts a navigation to another page, such as to a typed address. Once one
 * has begun, an entry that is left over stays, and Back passes it.
 */
export class ScreenHistory implements Navigator {
  #entry = currentEntry();
  #action = NavigationType.Pop;
  #onChange: (shown: Shown) => void = () => undefined;
  /** Set while a step of our own is in progress. */
  #step: ReturnType<typeof setTimeout> | null = null;
  #later: ReturnType<typeof setTimeout> | undefined;
  /** Whether a navigation to another page has begun; it may still end in a download. */
  #isLeaving = false;
  /** Navigations that wait for the screen's own entry. */
  #waiting: (() => void)[] = [];

  get shown(): Shown {
    return { action: this.#action, location: currentLocation() };
  }

  /** Call `onChange` for every change of screen; returns a function that stops. */
  listen(onChange: (shown: Shown) => void): () => void {
    this.#onChange = onChange;
    window.addEventListener("popstate", this.#onPop);
    window.addEventListener("pageshow", this.#onShown);
    const stopOverlays = subscribeToOverlays(this.#settleLater);
    this.#enter(this.#entry);
    this.settle(); // a reload closes overlays
    return () => {
      stopOverlays();
      clearTimeout(this.#later);
      window.removeEventListener("popstate", this.#onPop);
      window.removeEventListener("pageshow", this.#onShown);
      window.removeEventListener("beforeunload", this.#onLeaving);
    };
  }

  /** Give every open overlay its entry, and remove the others. */
  settle = (): void => {
    if (this.#step !== null) {
      return;
    }
    const { overlays } = this.#entry;
    const wanted = this.#waiting.length > 0 ? 0 : overlayCount();
    if (overlays > wanted) {
      if (!this.#isLeaving) {
        this.#goBy(wanted - overlays);
      }
    } else if (this.#waiting.length > 0) {
      this.#navigate();
    } else {
      for (let count = overlays + 1; count <= wanted; count += 1) {
        this.#cover(count);
      }
    }
  };

  createHref = (to: To): string => (typeof to === "string" ? to : createPath(to));

  encodeLocation = (to: To) => {
    const { pathname, search, hash } = new URL(this.createHref(to), window.location.href);
    return { pathname, search, hash };
  };

  push = (to: To, state?: unknown): void => this.#onScreen(() => this.#open(to, state, "Push"));

  replace = (to: To, state?: unknown): void =>
    this.#onScreen(() => this.#open(to, state, "Replace"));

  go = (delta: number): void => this.#onScreen(() => this.#goBy(delta));

  /** Navigate from the screen's own entry: now, or after the steps to get there. */
  #onScreen(navigate: () => void): void {
    this.#isLeaving = false; // the newer navigation counts
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
    const entry: Entry = { usr: usr ?? null, key: newKey(), overlays: 0 };
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
    this.#enter({ ...this.#entry, overlays });
    window.history.pushState(this.#entry, "");
  }

  /** Be at `entry`. Only above a screen's own are steps of our own to come, which must be held. */
  #enter(entry: Entry): void {
    this.#entry = entry;
    if (entry.overlays > 0) {
      window.addEventListener("beforeunload", this.#onLeaving);
    } else {
      window.removeEventListener("beforeunload", this.#onLeaving);
    }
  }

  #onLeaving = (): void => {
    this.#isLeaving = true;
  };

  /** The page was left, and is shown again as it was. */
  #onShown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) {
      this.#isLeaving = false;
      this.settle();
    }
  };

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
    this.#enter(currentEntry());
    this.#isLeaving = false;
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
  const { usr, key, overlays }: Record<string, unknown> = isRecord(stored) ? stored : {};
  const entry = {
    usr: usr ?? null,
    key: typeof key === "string" ? key : newKey(),
    overlays: typeof overlays === "number" ? overlays : 0,
  };
  if (entry.key !== key) {
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
