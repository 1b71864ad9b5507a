import { expect, test } from "vitest";
import { treatmentOf } from "./routes.ts";

const ORIGIN = "https://fans.example";
const precached = new Set(["/favicon.svg"]);

function treat(path: string, change: Partial<Pick<Request, "method" | "mode" | "url">> = {}) {
  const request = { method: "GET", mode: "cors" as const, url: ORIGIN + path, ...change };
  return treatmentOf(request, ORIGIN, precached);
}

test.each(["/", "/signin", "/product/2?from=mail", "/no/such/page", "/apiary", "/legalese"])(
  "whoever opens %s gets the app's page",
  (path) => expect(treat(path, { mode: "navigate" })).toBe("page"),
);

test.each([
  "/api/v1/clubs",
  "/media/emblems/1.svg",
  "/socket.io/?EIO=4",
  "/sandbox/checkout",
  "/docs",
  "/openapi.json",
  "/healthz",
  "/readyz",
  "/metrics",
  "/legal/terms",
  "/u/money.abc",
  "/i/abc",
  "/admin",
])("whoever opens %s gets the server's answer", (path) =>
  expect(treat(path, { mode: "navigate" })).toBe("network"),
);

test("files of the build are cached, what members are told and watch is not", () => {
  expect(treat("/assets/chats-screen-1a2b.js")).toBe("file");
  expect(treat("/favicon.svg")).toBe("file");
  expect(treat("/api/v1/leaderboard")).toBe("network");
  expect(treat("/media/moments/1.mp4")).toBe("network");
  expect(treat("/samples/1.svg")).toBe("network");
});

test("other hosts and everything that writes go to the network", () => {
  expect(treat("", { url: "https://api.paystack.co/assets/x.js" })).toBe("network");
  expect(treat("/assets/chats-screen-1a2b.js", { method: "HEAD" })).toBe("network");
});
