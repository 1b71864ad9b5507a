import { vi } from "vitest";

const ADDRESS = { endpoint: "https://push.example/1", keys: { p256dh: "p", auth: "a" } };

/** A browser that supports push; `permission` is its answer to the prompt. */
export function browserWithPush(permission: NotificationPermission = "default") {
  const worker = new EventTarget();
  const subscription = {
    options: {},
    toJSON: () => ADDRESS,
    unsubscribe: vi.fn(async () => {
      browser.isSubscribed = false;
      return true;
    }),
  };
  const subscribe = vi.fn(async () => {
    browser.isSubscribed = true;
    return subscription;
  });
  const browser = {
    isSubscribed: false,
    address: ADDRESS,
    subscribe,
    unsubscribe: subscription.unsubscribe,
    requestPermission: vi.fn(async (): Promise<NotificationPermission> => "granted"),
    /** A message of the worker to the page. */
    receive: (data: unknown, ports: Pick<MessagePort, "postMessage">[] = []) =>
      worker.dispatchEvent(Object.assign(new Event("message"), { data, ports })),
  };
  const registration = {
    pushManager: {
      subscribe,
      getSubscription: async () => (browser.isSubscribed ? subscription : null),
    },
  };
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: Object.assign(worker, {
      controller: null,
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
    }),
  });
  vi.stubGlobal("PushManager", class {});
  stubPermission(permission, async () => {
    const answer = await browser.requestPermission();
    stubPermission(answer, browser.requestPermission);
    return answer;
  });
  return browser;
}

/** Restore jsdom's browser, which supports none. */
export function browserWithoutPush(): void {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
}

function stubPermission(
  permission: NotificationPermission,
  requestPermission: () => Promise<NotificationPermission>,
): void {
  vi.stubGlobal("Notification", { permission, requestPermission });
}
