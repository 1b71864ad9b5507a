import { useEffect } from "react";
import { sparesData } from "@/lib/device/low-data";
import { announceNewVersion } from "@/lib/device/new-version";
import { recordUse, wasUsedBefore } from "@/lib/session/first-use";

/** After the first screen and the prefetched tabs have had the network. */
const AFTER_MS = 6000;
const POLL_INTERVAL_MS = 3_600_000;

/**
 * Start the service worker long after the first paint, and announce newer versions.
 *
 * In data saver mode it starts on the second visit: a single visit precaches nothing. The
 * development server has no worker.
 */
export function useWorker(): void {
  useEffect(() => {
    recordUse();
    const { serviceWorker } = navigator;
    if (!import.meta.env.PROD || serviceWorker === undefined) {
      return;
    }
    const stops: (() => void)[] = [];
    if (serviceWorker.controller !== null) {
      // Another tab has updated: this one still runs the previous version.
      serviceWorker.addEventListener("controllerchange", announceNewVersion);
      stops.push(() => serviceWorker.removeEventListener("controllerchange", announceNewVersion));
    }
    const timer = setTimeout(() => {
      if (sparesData() && !wasUsedBefore()) {
        return;
      }
      serviceWorker
        .register("/sw.js", { updateViaCache: "none" })
        .then((registration) => stops.push(follow(registration)))
        .catch(() => undefined); // storage is forbidden or full: the app works without
    }, AFTER_MS);
    stops.push(() => clearTimeout(timer));
    return () => {
      for (const stop of stops) {
        stop();
      }
    };
  }, []);
}

/** Announce every newer version: one already waiting, or one loaded while the app is open. */
function follow(registration: ServiceWorkerRegistration): () => void {
  const announceIfWaiting = () => {
    if (registration.waiting !== null && registration.active !== null) {
      announceNewVersion();
    }
  };
  const checkWhenLoaded = () =>
    registration.installing?.addEventListener("statechange", announceIfWaiting);
  let askedAtMs = Date.now();
  const checkForUpdate = () => {
    if (document.visibilityState === "visible" && Date.now() - askedAtMs > POLL_INTERVAL_MS) {
      askedAtMs = Date.now();
      registration.update().catch(() => undefined);
    }
  };
  announceIfWaiting();
  checkWhenLoaded();
  registration.addEventListener("updatefound", checkWhenLoaded);
  document.addEventListener("visibilitychange", checkForUpdate);
  return () => {
    registration.removeEventListener("updatefound", checkWhenLoaded);
    document.removeEventListener("visibilitychange", checkForUpdate);
  };
}
