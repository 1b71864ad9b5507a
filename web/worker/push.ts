import { isOfApp } from "./routes.ts";

/** The payload of a push (contract F-26). */
export interface Push {
  title: string;
  body: string;
  path: string;
  tag: string;
}

const NAME = "King of Fans";

/** Parse the payload; if we show no notification, a browser shows a default one. */
export function readPush(text: string | undefined): Push {
  let content: unknown = null;
  try {
    content = JSON.parse(text ?? "");
  } catch {
    // Not our payload: show at least the app's name.
  }
  const payload = (typeof content === "object" ? content : null) as Record<string, unknown> | null;
  const word = (name: string, otherwise: string) =>
    typeof payload?.[name] === "string" ? payload[name] : otherwise;
  return {
    title: word("title", NAME),
    body: word("body", ""),
    path: word("path", "/"),
    tag: word("tag", NAME),
  };
}

/** The path if it leads to a page of the app, else the home screen's. */
export function ownPath(path: unknown, origin: string): string {
  if (typeof path !== "string" || !path.startsWith("/")) {
    return "/";
  }
  const { origin: itsOrigin, pathname, search, hash } = new URL(path, origin);
  // With two slashes our own path would resolve to another host.
  const isOurs = itsOrigin === origin && !pathname.startsWith("//") && isOfApp(pathname);
  return isOurs ? pathname + search + hash : "/";
}

/** The used properties of an open tab of our origin. */
export interface Tab {
  focused: boolean;
  focus: () => Promise<unknown>;
  postMessage: (message: unknown, transfer: MessagePort[]) => void;
}

/** How long a tab may take to confirm that it shows the member's screens. */
const REPLY_TIMEOUT_MS = 500;

/**
 * Open a path in a tab that shows the member's screens, the focused one if there are several, or in
 * a new one.
 *
 * Each tab is asked: its address reveals neither whether a member is signed in there, nor, after
 * the first screen, what it shows.
 */
export async function openPath(
  path: string,
  tabs: readonly Tab[],
  openTab: (path: string) => Promise<unknown>,
): Promise<void> {
  const answers = await Promise.all(tabs.map(showsScreens));
  const listening = tabs.filter((_, index) => answers[index]);
  const tab = listening.find(({ focused }) => focused) ?? listening[0];
  if (tab === undefined) {
    await openTab(path);
    return;
  }
  tab.postMessage({ open: path }, []);
  await tab.focus();
}

function showsScreens(tab: Tab): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const answer = (isShown: boolean) => {
      clearTimeout(timer);
      port1.close();
      resolve(isShown);
    };
    const timer = setTimeout(() => answer(false), REPLY_TIMEOUT_MS);
    port1.onmessage = () => answer(true);
    tab.postMessage("shows-screens?", [port2]);
  });
}

/** The known properties of an expired subscription. */
export interface Moved {
  oldSubscription?: Pick<PushSubscription, "options"> | null;
}

/**
 * Subscribe again after the browser has rotated its subscription; tabs then notify the server,
 * which the worker cannot.
 */
export async function renewSubscription(
  { oldSubscription }: Moved,
  subscribe: (options: PushSubscriptionOptionsInit) => Promise<unknown>,
  tabs: () => Promise<readonly Tab[]>,
): Promise<void> {
  if (oldSubscription) {
    await subscribe(oldSubscription.options);
  }
  for (const tab of await tabs()) {
    tab.postMessage("push-moved", []);
  }
}
