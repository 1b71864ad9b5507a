import { format } from "node:util";
import * as React from "react";
import { vi } from "vitest";

const react: object = Reflect.get(
  React,
  "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE",
);
/** What jsdom does not know, and what comes in its own time: a call that no test answers. */
const NO_COMPLAINT = /^The tag <search> is unrecognized|^\[MSW\]/;
/** The carousel's library gives up without IntersectionObserver; the payment one's frames stay. */
const STAYS = /ownerDocument\.hidden|checkoutIframe/;

interface Listening {
  target: EventTarget;
  type: string;
  callback: EventListener;
  capture: boolean;
}

let complaints: string[] = [];
let before = new Set<EventListener>();
let wasActing = false;

/** Note what there is before a test, and hear what is written as an error during it. */
export function beginWatch(): void {
  complaints = [];
  wasActing = isActing();
  before = new Set(listeners().map(({ callback }) => callback));
  const { error } = console;
  vi.spyOn(console, "error").mockImplementation((...said) => {
    error(...said);
    complaints.push(format(...said));
  });
}

/** End what listens to the page since the test began; for tests of what listens for its life. */
export function endListening(): Listening[] {
  const left = listeners().filter(
    ({ callback }) => !before.has(callback) && !STAYS.test(String(callback)),
  );
  for (const { target, type, callback, capture } of left) {
    target.removeEventListener(type, callback, { capture });
  }
  return left;
}

/**
 * Take away what a test has left to those after it, its screens being gone, and name it.
 *
 * React draws nothing while an `act` is under way, and one that nobody awaits never ends: it stops
 * every screen after it. Only the test that left it is blamed.
 */
export function leftovers(): string[] {
  const left = complaints.splice(0).filter((said) => !NO_COMPLAINT.test(said));
  if (isActing() && !wasActing) {
    left.push("An act that was not awaited.");
  }
  for (const { type, callback } of endListening()) {
    left.push(`A listener to ${type}: ${callback}`);
  }
  for (const element of document.body.querySelectorAll(":scope > :not(iframe)")) {
    element.remove();
    left.push(`An element: ${element.outerHTML.slice(0, 500)}`);
  }
  return left;
}

function isActing(): boolean {
  return Reflect.get(react, "actQueue") !== null;
}

/** Who listens to the page and its document, as jsdom knows them. */
function listeners(): Listening[] {
  const page: Window = Reflect.get(globalThis, "jsdom").window;
  return [page, page.document].flatMap((target) =>
    Object.entries(listenersOf(target)).flatMap(([type, listening]) =>
      listening.map(({ callback, capture }) => ({
        ...{ target, type, capture },
        callback: callback.objectReference,
      })),
    ),
  );
}

interface Kept {
  callback: { objectReference: EventListener };
  capture: boolean;
}

function listenersOf(target: EventTarget): Record<string, Kept[]> {
  const inside = Object.getOwnPropertySymbols(target).find(
    ({ description }) => description === "impl",
  );
  return Reflect.get(target, inside ?? "")._eventListeners;
}
