import { format } from "node:util";
import * as React from "react";
import { vi } from "vitest";

const react: object = Reflect.get(
  React,
  "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE",
);
/** Messages about what jsdom does not implement, and of calls without a handler. */
const NO_COMPLAINT = /^The tag <search> is unrecognized|^\[MSW\]/;
/** The carousel's library gives up without IntersectionObserver; the payment one's frames stay. */
const EXPECTED_LISTENERS = /ownerDocument\.hidden|checkoutIframe/;

interface Listener {
  target: EventTarget;
  type: string;
  callback: EventListener;
  capture: boolean;
}

let complaints: string[] = [];
let before = new Set<EventListener>();
let abilities: readonly string[] = [];
let hadAct = false;

/** Record the state before a test, and collect console errors during it. */
export function beginWatch(): void {
  complaints = [];
  hadAct = hasAct();
  before = new Set(listeners().map(({ callback }) => callback));
  abilities = Object.getOwnPropertyNames(navigator);
  const { error } = console;
  vi.spyOn(console, "error").mockImplementation((...messages) => {
    error(...messages);
    complaints.push(format(...messages));
  });
}

/**
 * Remove listeners added since the test began; for tests of listeners that live as long as the
 * page.
 */
export function removeListeners(): Listener[] {
  const left = listeners().filter(
    ({ callback }) => !before.has(callback) && !EXPECTED_LISTENERS.test(String(callback)),
  );
  for (const { target, type, callback, capture } of left) {
    target.removeEventListener(type, callback, { capture });
  }
  return left;
}

/** Take back what a test gave the browser: vibration, sharing, a network that is gone. */
export function removeAbilities(): void {
  for (const name of Object.getOwnPropertyNames(navigator)) {
    if (!abilities.includes(name)) {
      Reflect.deleteProperty(navigator, name);
    }
  }
}

/**
 * Remove and return what a test left behind after its screens were unmounted.
 *
 * React renders nothing while an `act` is pending, and one that is not awaited never ends: it
 * blocks all later screens. Only the test that left it fails.
 */
export function leftovers(): string[] {
  const left = complaints.splice(0).filter((complaint) => !NO_COMPLAINT.test(complaint));
  if (hasAct() && !hadAct) {
    left.push("An act that was not awaited.");
  }
  for (const { type, callback } of removeListeners()) {
    left.push(`A listener to ${type}: ${callback}`);
  }
  for (const element of document.body.querySelectorAll(":scope > :not(iframe)")) {
    element.remove();
    left.push(`An element: ${element.outerHTML.slice(0, 500)}`);
  }
  return left;
}

function hasAct(): boolean {
  return Reflect.get(react, "actQueue") !== null;
}

/** The listeners of the window and its document in jsdom. */
function listeners(): Listener[] {
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
