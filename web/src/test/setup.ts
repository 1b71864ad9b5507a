import "@testing-library/jest-dom/vitest";
import { cleanup, configure, getConfig } from "@testing-library/react";
import * as React from "react";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { setServerClock } from "@/lib/server-clock";
import { clearToasts } from "@/lib/toasts";
import { leaveTo } from "@/test/fake-navigation";
import { server } from "@/test/server";

// Replaced for every file, so that their files can share a process: the shell holds a connection on
// every screen, and jsdom cannot leave its page.
vi.mock("socket.io-client", async () => (await import("@/test/fake-socket")).fakeLibrary);
vi.mock("@/lib/navigation", () => import("@/test/fake-navigation"));

// The first lazy screen of a run loads its modules while the test waits.
configure({ asyncUtilTimeout: 30_000 });

// A wait prints the document when its time is up. Each of its tries would print it too, for nobody.
const { getElementError } = getConfig();
function getErrorOfTry(message: string | null, container: Element) {
  const error = Reflect.get(getConfig(), "_disableExpensiveErrorDiagnostics") // true during a try
    ? Object.assign(new Error(message ?? ""), { name: "TestingLibraryElementError" })
    : getElementError(message, container);
  Error.captureStackTrace(error, getErrorOfTry); // a failure shows the test's line and not this one
  return error;
}
configure({ getElementError: getErrorOfTry });

// React notes a stack for every element, up to ten thousand a second, so that its warnings can tell
// where the element was written. That is a sixth of a screen test's CPU time. Warnings still have
// the names of the components.
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
afterEach(() => {
  cleanup();
  clearToasts();
  leaveTo.mockClear();
  setServerClock(new Date(Date.now()).toISOString()); // whatever a test takes for now
  vi.useRealTimers();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(async () => {
  // Files share their modules: one whose loading ends with a file would be broken in the next.
  await vi.dynamicImportSettled();
  server.close();
});
