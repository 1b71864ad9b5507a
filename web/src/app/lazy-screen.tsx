import { type ComponentType, lazy, type ReactNode, useEffect, useReducer, useState } from "react";
import { fetchLostStyles } from "@/app/lost-styles";
import { screenOpens } from "@/app/opening-screens";
import { isOffline, messageOf } from "@/lib/failures";

/** Before the second and the third try, in milliseconds: a phone often loses one request of many. */
const PAUSES_MS = [1000, 3000];
/** A script that has not come by then hangs; the slowest network in use needs a fifth of it. */
const GIVE_UP_MS = 25_000;
/** How long the screen before stays while the next one is fetched. */
const TIMEOUT_MS = 3000;

type Load = () => Promise<{ default: ComponentType }>;

/** A screen in a script of its own. */
export interface LazyScreen {
  (): ReactNode;
  /** What stands in its place while its script is on its way. */
  waiting: ReactNode;
  /**
   * Fetch the script ahead of time, and wait for it for so many milliseconds at most.
   *
   * A failure is left to the opening of the screen.
   */
  preload: (mostMs?: number) => Promise<void>;
}

/** How to forget each script that did not come. */
const failed = new Set<() => void>();

/** Let every screen whose script did not come be fetched anew when it is drawn again. */
export function retryFailedScreens(): void {
  for (const forget of failed) {
    forget();
  }
  failed.clear();
}

/**
 * A screen whose script is fetched when it is first drawn, and tried three times.
 *
 * The screen before stays for up to 3 s, after that `waiting` takes its place. A script that did
 * not come throws where the screen is drawn, for the boundary there.
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
    // One choice for as long as it is drawn: another component would lose what it holds.
    const [Chosen] = useState(() => {
      Opening ??= Loaded === null ? open() : null;
      return Loaded ?? Opening;
    });
    return Chosen === null ? null : <Chosen />;
  }

  Screen.waiting = waiting;
  Screen.preload = (mostMs = TIMEOUT_MS) =>
    Promise.race([fetchScript().catch(() => undefined), pause(mostMs)]);
  return Screen;
}

async function loadPatiently(load: Load): Promise<ComponentType> {
  let again = load;
  for (const pauseMs of PAUSES_MS) {
    try {
      return await loadStyled(again);
    } catch (error) {
      if (isOffline()) {
        throw error;
      }
      await pause(pauseMs);
      again = underNewAddress(error) ?? load;
    }
  }
  return loadStyled(again);
}

/** Load a screen with all of its styles, those included that did not come before. */
async function loadStyled(load: Load): Promise<ComponentType> {
  await fetchLostStyles();
  return (await load()).default;
}

/**
 * The script that did not come, under an address that is new to the page.
 *
 * Browsers remember a failed module by its address, and do not ask for it a second time.
 */
function underNewAddress(error: unknown): Load | null {
  const address = /https?:\/\/\S+?\.js/.exec(messageOf(error))?.[0];
  return address === undefined
    ? null
    : () => import(/* @vite-ignore */ `${address}?again=${Date.now()}`);
}

/** Give up what hangs, so that the member is told and can try again. */
async function inTime<Fetched>(fetching: Promise<Fetched>): Promise<Fetched> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("A script did not come in time")), GIVE_UP_MS);
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
