import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { removeListeners } from "@/test/leftovers";
import { envelope, serve } from "@/test/server";
import { soon } from "@/test/soon";

beforeEach(() => void vi.resetModules());
afterEach(() => void removeListeners());

async function reporter() {
  return import("@/lib/device/report-error");
}

test("an error is reported with its screen, without the address's query and without a token", async () => {
  const { reportError } = await reporter();
  const reports = serve("post", "/api/v1/client-errors", () => envelope(202, null));
  window.history.replaceState(null, "", "/reset-password?id=secret");

  reportError("screen", new TypeError("Failed to fetch dynamically imported module"));

  await soon(() => expect(reports).toHaveLength(1));
  expect(reports[0]?.headers.get("Authorization")).toBeNull();
  expect(reports[0]?.body).toMatchObject({
    kind: "screen",
    name: "TypeError",
    message: "Failed to fetch dynamically imported module",
    path: "/reset-password",
  });
});

test("a page reports at most five errors, however many it meets", async () => {
  const { reportError } = await reporter();
  const reports = serve("post", "/api/v1/client-errors", () => envelope(202, null));

  for (let count = 0; count < 20; count += 1) {
    reportError("script", new Error(`number ${count}`));
  }

  await soon(() => expect(reports).toHaveLength(5));
});

test("what nobody has caught is reported; a lost connection is not", async () => {
  const { reportUncaughtErrors } = await reporter();
  const { NoAnswer } = await import("@/lib/live/failures");
  const reports = serve("post", "/api/v1/client-errors", () => envelope(202, null));
  reportUncaughtErrors();

  const rejected = (reason: unknown) =>
    window.dispatchEvent(Object.assign(new Event("unhandledrejection"), { reason }));
  rejected(new NoAnswer());
  rejected(new RangeError("nobody waited"));
  window.dispatchEvent(new ErrorEvent("error", { error: new Error("uncaught") }));

  await soon(() => expect(reports).toHaveLength(2));
  expect(reports.map(({ body }) => body)).toMatchObject([
    { kind: "unhandled", name: "RangeError" },
    { kind: "script", message: "uncaught" },
  ]);
});
