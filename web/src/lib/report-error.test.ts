import { expect, test, vi } from "vitest";
import { reportError } from "@/lib/report-error";
import { envelope, serve } from "@/test/server";

test("a report fits what the server takes: five fields, short, and no query", async () => {
  const seen = serve("post", "/api/v1/client-errors", () => envelope(202, null));
  window.history.replaceState(null, "", `/${"x".repeat(300)}?code=123456`);
  const error = new Error("m".repeat(900));
  error.name = "N".repeat(100);

  reportError("unhandled", error);

  await vi.waitFor(() => expect(seen).toHaveLength(1));
  expect(seen[0]?.body).toEqual({
    kind: "unhandled",
    name: "N".repeat(80),
    message: "m".repeat(500),
    path: `/${"x".repeat(199)}`,
    build: expect.stringMatching(/^[\w.+-]{1,40}$/),
  });
});
