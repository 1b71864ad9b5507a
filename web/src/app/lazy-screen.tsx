import { type ComponentType, lazy, type ReactNode, useEffect, useReducer, useState } from "react";
import { fetchLostStyles } from "@/app/lost-styles";
import { screenOpens } from "@/app/opening-screens";
import { hasNoNetwork } from "@/lib/device/online";
import { messageOf } from "@/lib/live/failures";

/**
 * The delay before the second and the third try, in milliseconds: phones often lose one request.
 */
const PAUSES_MS = [1000, 3000];
/** A script that takes longer hangs; the slowest network in use needs a fifth of it. */
const LOAD_TIMEOUT_MS = 25_000;
/** How long the previous screen stays while the next one is fetched. */
const TIMEOUT_MS = 3000;

type Load = () => Promise<{ default: ComponentType }>;

/** A lazily loaded screen. */
export interface LazyScreen {
  (): ReactNode;
  /** The fallback while the script loads. */
  waiting: ReactNode;
  /**
   * Prefetch the script, and wait for it for up to this many milliseconds.
   *
   * A failure is left to the opening of the screen.
   */
  preload: (timeoutMs?: number) => Promise<void>;
}

/** Resets of the scripts that failed to load. */
const failed = new Set<() => void>();

/** Reset all failed screens, so that they are fetched again on the next render. */
export function retryFailedScreens(): void {
  for (const forget of failed) {
    forget();
  }
  failed.clear();
}

/**
 * A screen whose script is fetched on first render, with three tries.
 *
 * The previous screen stays for up to 3 s, after that `waiting` is shown. A script that failed to
 * load throws during rendering, for the boundary there.
 */
export function lazyScreen(load: Load, waiting: ReactNode): LazyScreen {
  let script: Promise<void> | null = null;
  let Loaded: ComponentType | null = null;
  let Opening: ComponentType | null = null;
  let failure: { error: unknown } | null = null;

  const fetchScript = () => {
    script ??= inTime(loadPatiently(load)).then(
      (component) => {
        Loaded = component;
      },
      (error: unknown) => {
        script = null;
        throw error;
      },
    );
    return script;
  };

  const open = (): ComponentType => {
    const opened = fetchScript().catch((error: unknown) => {
      failure = { error };
      failed.add(() => {
        failure = null;
        Opening = null;
      });
    });
    screenOpens(opened);
    return lazy(async () => {
      await Promise.race([opened, pause(TIMEOUT_MS)]);
      return { default: () => <Opened opened={opened} /> };
    });
  };

  function Opened({ opened }: { opened: Promise<void> }) {
    const [, drawAgain] = useReducer((count: number) => count + 1, 0);
    useEffect(() => void opened.then(drawAgain), [opened]);
    if (failure !== null) {
      throw failure.error;
    }
    return Loaded === null ? waiting : <Loaded />;
  }

  function Screen() {
    // Chosen once per mount: another component would lose its state.
    const [Chosen] = useState(() => {
      Opening ??= Loaded === null ? open() : null;
      return Loaded ?? Opening;
    });
    return Chosen === null ? null : <Chosen />;
  }

  Screen.waiting = waiting;
  Screen.preload = (timeoutMs = TIMEOUT_MS) =>
    Promise.race([fetchScript().catch(() => undefined), pause(timeoutMs)]);
  return Screen;
}

async function loadPatiently(load: Load): Promise<ComponentType> {
  let again = load;
  for (const pauseMs of PAUSES_MS) {
    try {
      return await loadStyled(again);
    } catch (error) {
      if (hasNoNetwork()) {
        throw error;
      }
      await pause(pauseMs);
      again = underNewAddress(error) ?? load;
    }
  }
  return loadStyled(again);
}

/** Load a screen with all of its styles, including those that failed before. */
async function loadStyled(load: Load): Promise<ComponentType> {
  await fetchLostStyles();
  return (await load()).default;
}

/**
 * The failed script, under an address that is new to the page.
 *
 * Browsers cache a failed module by its address, and do not request it a second time.
 */
function underNewAddress(error: unknown): Load | null {
  const address = /https?:\/\/\S+?\.js/.exec(messageOf(error))?.[0];
  return address === undefined
    ? null
    : () => import(/* @vite-ignore */ `${address}?again=${Date.now()}`);
}

/** Give up a hanging load, so that the member sees an error and can try again. */
async function inTime<Fetched>(fetching: Promise<Fetched>): Promise<Fetched> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("A script did not come in time")), LOAD_TIMEOUT_MS);
  });
  try {
    return await Promise.race([fetching, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
