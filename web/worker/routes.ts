/** Where the server answers itself, also when a browser asks for a page (contract F-18). */
const ANSWERED_BY_SERVER = [
  "/api/",
  "/media/",
  "/socket.io",
  "/sandbox/",
  "/docs",
  "/openapi.json",
  "/healthz",
  "/readyz",
  "/metrics",
  "/legal/",
  "/i/",
  "/admin",
];

/** Whether the app has the page of a path, and not the server. */
export function isOfApp(pathname: string): boolean {
  return !ANSWERED_BY_SERVER.some((prefix) => pathname.startsWith(prefix));
}

/** Where files stand whose names change with their content. */
const IMMUTABLE = "/assets/";

/** What a worker does with a request: give the app's page, a file of its cache, or step aside. */
export type Treatment = "page" | "file" | "network";

/** How to treat a request; `precached` are the paths that this version came with. */
export function treatmentOf(
  { method, mode, url }: Pick<Request, "method" | "mode" | "url">,
  origin: string,
  precached: ReadonlySet<string>,
): Treatment {
  const address = new URL(url);
  if (method !== "GET" || address.origin !== origin) {
    return "network";
  }
  const { pathname } = address;
  if (mode === "navigate") {
    return isOfApp(pathname) ? "page" : "network";
  }
  return precached.has(pathname) || pathname.startsWith(IMMUTABLE) ? "file" : "network";
}
