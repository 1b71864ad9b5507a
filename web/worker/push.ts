import { isOfApp } from "./routes.ts";

/** What a push says (contract F-26). */
export interface Push {
  title: string;
  body: string;
  path: string;
  tag: string;
}

const NAME = "King of Fans";

/** Read what came; a browser shows something of its own where we show nothing. */
export function readPush(text: string | undefined): Push {
  let content: unknown = null;
  try {
    content = JSON.parse(text ?? "");
  } catch {
    // Not one of ours: the name says at least who it is.
  }
  const told = (typeof content === "object" ? content : null) as Record<string, unknown> | null;
  const word = (name: string, otherwise: string) =>
    typeof told?.[name] === "string" ? told[name] : otherwise;
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
  // With two slashes what was a path of ours would be another host's when it is opened.
  const isOurs = itsOrigin === origin && !pathname.startsWith("//") && isOfApp(pathname);
  return isOurs ? pathname + search + hash : "/";
}

/** An open tab of our origin, as far as it matters here. */
export interface Tab {
  focused: boolean;
  focus: () => Promise<unknown>;
  postMessage: (message: unknown, transfer: MessagePort[]) => void;
}

/** How long a tab may take to say that it shows the member's screens. */
const ANSWERS_WITHIN_MS = 500;

/**
 * Open a path in a tab that shows the member's screens, the one in use if there are several, or in
 * a new one.
 *
 * Each is asked: the address of a tab says neither whether somebody is signed in there, nor, after
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
    const timer = setTimeout(() => answer(false), ANSWERS_WITHIN_MS);
    port1.onmessage = () => answer(true);
    tab.postMessage("shows-screens?", [port2]);
  });
}

/** What is known of an address that the browser has given up. */
export interface Moved {
  oldSubscription?: Pick<PushSubscription, "options"> | null;
}

/** Subscribe anew where the browser has moved, and let the tabs tell the server, which we cannot. */
export async function moveOver(
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
