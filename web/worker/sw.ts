import { openPath, ownPath, readPush, renewSubscription } from "./push.ts";
import { treatmentOf } from "./routes.ts";

declare const self: ServiceWorkerGlobalScope;

/** Written by the build (build-plugins/service-worker.ts): one cache for each version. */
declare const __PRECACHE__: { version: string; pageIntegrity: string; files: string[] };

const { version, pageIntegrity, files } = __PRECACHE__;
const CACHE = `kof-${version}`;
const PAGE = "/";
/** The page as it was built: at every other path the server adds a head. */
const BUILT_PAGE = "/index.html";
const precached = new Set(files);

/** The maximum number of cached files beside the precached ones. */
const MAX_USED_FILES = 80;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => {
  if (data === "update") {
    void self.skipWaiting();
  }
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const treatment = treatmentOf(request, self.location.origin, precached);
  if (treatment === "page") {
    event.respondWith(page(request));
  } else if (treatment === "file") {
    event.respondWith(file(event));
  }
});

self.addEventListener("push", (event) => event.waitUntil(show(event.data?.text())));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});
self.addEventListener("pushsubscriptionchange", (event) =>
  event.waitUntil(
    renewSubscription(
      event,
      (options) => self.registration.pushManager.subscribe(options),
      readTabs,
    ),
  ),
);

async function show(text: string | undefined): Promise<void> {
  const { title, body, path, tag } = readPush(text);
  const icons = { icon: "/icons/192.png", badge: "/icons/192.png" };
  await self.registration.showNotification(title, { body, tag, data: path, ...icons });
}

const readTabs = () => self.clients.matchAll({ type: "window" });

async function open(path: unknown): Promise<void> {
  const wanted = ownPath(path, self.location.origin);
  await openPath(wanted, await readTabs(), (own) => self.clients.openWindow(own));
}

/** Precache this version completely, or not at all: another version's page fails its integrity. */
async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  const fresh = await fetch(BUILT_PAGE, { cache: "no-cache", integrity: pageIntegrity });
  if (!fresh.ok) {
    throw new Error(`the page was answered with ${fresh.status}`);
  }
  await cache.addAll(files);
  await cache.put(PAGE, fresh);
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  // The first worker claims the page that started it; a later one waits for 'Update'.
  await self.clients.claim();
}

async function page(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(PAGE)) ?? fetch(request);
}

async function file(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  const known = await cache.match(event.request);
  if (known !== undefined) {
    return known;
  }
  const answer = await fetch(event.request);
  if (answer.status === 200) {
    event.waitUntil(store(cache, event.request, answer.clone()));
  }
  return answer;
}

/** Cache a used file; beyond the limit, the oldest go. */
async function store(cache: Cache, request: Request, answer: Response): Promise<void> {
  try {
    await cache.put(request, answer);
    const used = (await cache.keys()).filter(({ url }) => {
      const { pathname } = new URL(url);
      return pathname !== PAGE && !precached.has(pathname);
    });
    const oldest = used.slice(0, Math.max(0, used.length - MAX_USED_FILES));
    await Promise.all(oldest.map((each) => cache.delete(each)));
  } catch {
    // The phone is full: the file is fetched again next time.
  }
}
