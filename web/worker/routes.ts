/** Paths that the server handles, also for navigations (contract F-18). */
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
  "/welcome",
  "/m/",
  "/n/",
  "/s/",
  "/v/",
  "/c/",
  "/i/",
  "/u/",
  "/og/",
  "/robots.txt",
  "/sitemap.xml",
  "/favicon.ico",
  "/.well-known/",
  "/admin",
];

/** Whether the app, and not the server, handles a path. */
export function isOfApp(pathname: string): boolean {
  return !ANSWERED_BY_SERVER.some((prefix) => pathname.startsWith(prefix));
}

/** The folder of files named by their content. */
const IMMUTABLE = "/assets/";

/** How a worker handles a request: the app's page, a file of its cache, or the network. */
export type Treatment = "page" | "file" | "network";

/** Return how to handle a request; `precached` are the paths of this version. */
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
