import { isRecord, storedValue } from "@/lib/device/storage";

/** The push state of this browser. */
export type PushState = "unsupported" | "install-first" | "blocked" | "off" | "on";

/** A browser's push address and keys, as the server accepts them. */
export interface BrowserSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

const RESTS_MS = 30 * 24 * 60 * 60 * 1000;

/** When 'Not now' was last pressed. */
const declinedAt = storedValue<number>("push-rests", (stored) =>
  typeof stored === "number" ? stored : null,
);

/** The member who turned notifications on in this browser; ends with their session. */
const turnedOnBy = storedValue<string>("push-of", (stored) =>
  typeof stored === "string" ? stored : null,
);

/** Whether this member turned notifications on here. */
export function isTurnedOnBy(userId: string): boolean {
  return turnedOnBy.read() === userId;
}

/** Suppress the offer for thirty days. */
export function restFromOffering(): void {
  declinedAt.write(Date.now());
}

/** Whether 'Not now' was pressed within thirty days. */
export function restsFromOffering(): boolean {
  const declined = declinedAt.read();
  return declined !== null && Date.now() - declined < RESTS_MS;
}

/**
 * This browser's push state for a member: another member's subscription counts as off.
 *
 * An iPhone supports push for an installed app only.
 */
export async function readPushState(userId: string): Promise<PushState> {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    return isPhoneOfApple() ? "install-first" : "unsupported";
  }
  if (Notification.permission === "denied") {
    return "blocked";
  }
  const isAllowed = Notification.permission === "granted";
  return isAllowed && isTurnedOnBy(userId) && (await readSubscription()) !== null ? "on" : "off";
}

/**
 * Ask for the browser's permission and subscribe a member; null if they decline.
 *
 * Call it only from a press of 'Turn on'.
 */
export async function subscribeToPush(
  userId: string,
  publicKey: string,
): Promise<BrowserSubscription | null> {
  if ((await Notification.requestPermission()) !== "granted") {
    return null;
  }
  if ((await navigator.serviceWorker.getRegistration()) === undefined) {
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  }
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known !== null && !isFor(known, publicKey)) {
    await known.unsubscribe(); // with a key that the server no longer has
  }
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  turnedOnBy.write(userId);
  try {
    return described(await pushManager.subscribe(options));
  } catch {
    turnedOnBy.clear();
    throw new Error("Your browser could not turn notifications on. Please try again later.");
  }
}

/** This browser's subscription; null without one. */
export async function readSubscription(): Promise<BrowserSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  return subscription ? described(subscription) : null;
}

/** End this browser's subscription, of any member; the push service reports it as gone. */
export async function endSubscription(): Promise<void> {
  turnedOnBy.clear();
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

function described(subscription: PushSubscription): BrowserSubscription | null {
  const { endpoint, keys } = subscription.toJSON();
  return typeof endpoint === "string" && isRecord(keys)
    ? { endpoint, keys: { p256dh: String(keys["p256dh"]), auth: String(keys["auth"]) } }
    : null;
}

function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const key = options?.applicationServerKey;
  if (!key) {
    return true;
  }
  const bytes = String.fromCharCode(...new Uint8Array(key));
  const text = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return text === publicKey;
}

function isPhoneOfApple(): boolean {
  return /iPhone|iPad|iPod/.test(navigator.userAgent);
}
