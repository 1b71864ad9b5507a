import "@testing-library/jest-dom/vitest";
import { cleanup, configure, fireEvent, getConfig, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import * as React from "react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { recordResponse } from "@/lib/device/online";
import { clearTabData } from "@/lib/device/storage";
import { takeMissedPayments } from "@/lib/live/payment-channel";
import { setServerClock } from "@/lib/live/server-clock";
import { dropUnsavedWork } from "@/lib/session/unsaved-work";
import { clearToasts } from "@/lib/ui/toasts";
import { aUser } from "@/test/factories";
import { leaveTo } from "@/test/fake-navigation";
import { shellSockets, sockets } from "@/test/fake-socket";
import { beginWatch, leftovers, removeAbilities } from "@/test/leftovers";
import { server } from "@/test/server";
import { MAX_WAIT_MS } from "@/test/soon";
import { freshCodeRefused } from "~/lib/fresh-code";
import { leaveSession } from "~/lib/operator-session";

// Replaced for every file, so that files can share a process: the shell holds a connection on every
// screen, and jsdom cannot leave its page or lay out a list.
vi.mock("socket.io-client", async () => (await import("@/test/fake-socket")).fakeLibrary);
vi.mock("@/lib/ui/navigation", () => import("@/test/fake-navigation"));
vi.mock("virtua", () => import("@/test/fake-virtua"));

// The first lazy screen of a run loads its modules while the test waits.
configure({ asyncUtilTimeout: MAX_WAIT_MS });

// A wait prints the document when it times out; its single tries need not.
const { getElementError } = getConfig();
function getErrorOfTry(message: string | null, container: Element) {
  const error = Reflect.get(getConfig(), "_disableExpensiveErrorDiagnostics") // true during a try
    ? Object.assign(new Error(message ?? ""), { name: "TestingLibraryElementError" })
    : getElementError(message, container);
  Error.captureStackTrace(error, getErrorOfTry); // a failure shows the test's line and not this one
  return error;
}
configure({ getElementError: getErrorOfTry });

// React captures a stack for every element, up to ten thousand a second, for its warnings. That is
// a sixth of a screen test's CPU time. Warnings still have the names of the components.
Object.defineProperty(
  Reflect.get(React, "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE"),
  "recentlyCreatedOwnerStacks",
  { get: () => 10_000, set: () => undefined, configurable: true },
);

// jsdom has no modal dialogs: https://github.com/jsdom/jsdom/issues/3294
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
window.matchMedia = (query: string) =>
  ({
    matches: query.includes("reduced-motion"),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
// The libraries' listeners stay on a document after their first use.
userEvent.setup();
render(null);
cleanup();
document.querySelector(":focus");

beforeEach(beginWatch);
// State that lives as long as a page would survive all tests of a file, and of the files beside it.
afterEach(() => {
  cleanup();
  fireEvent.pointerCancel(document); // a finger still down
  fireEvent(window, new Event("appinstalled")); // a browser's install event
  dropUnsavedWork();
  clearToasts();
  takeMissedPayments(aUser().id);
  recordResponse();
  freshCodeRefused();
  leaveSession();
  leaveTo.mockClear();
  sockets.length = 0;
  shellSockets.length = 0;
  setServerClock(new Date(Date.now()).toISOString()); // relative to the mocked clock
  vi.useRealTimers();
  vi.unstubAllGlobals();
  removeAbilities();
  server.resetHandlers();
  localStorage.clear();
  clearTabData([]);
  window.history.replaceState(null, "", "/");
  for (const { name } of Array.from(document.documentElement.attributes)) {
    document.documentElement.removeAttribute(name);
  }
  expect(leftovers()).toEqual([]);
});
afterAll(async () => {
  // Files share their modules: one whose loading ends with a file would be broken in the next.
  await vi.dynamicImportSettled();
  server.close();
});
