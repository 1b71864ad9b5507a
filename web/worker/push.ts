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

/** The path if it leads into the app, else the home screen's. */
export function ownPath(path: unknown, origin: string): string {
  if (typeof path !== "string" || !path.startsWith("/")) {
    return "/";
  }
  const address = new URL(path, origin);
  return address.origin === origin ? address.pathname + address.search + address.hash : "/";
}

/** An open tab of the app, as far as it matters here. */
export interface Tab {
  focused: boolean;
  focus: () => Promise<unknown>;
  postMessage: (message: unknown) => void;
}

/** Open a path in a tab that is open, the one in use if there are several, or in a new one. */
export async function openPath(
  path: string,
  tabs: readonly Tab[],
  openTab: (path: string) => Promise<unknown>,
): Promise<void> {
  const tab = tabs.find(({ focused }) => focused) ?? tabs[0];
  if (tab === undefined) {
    await openTab(path);
    return;
  }
  tab.postMessage({ open: path });
  await tab.focus();
}
