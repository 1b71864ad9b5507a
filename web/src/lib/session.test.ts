import { afterEach, expect, test } from "vitest";
import { session } from "@/lib/session";
import { aSession } from "@/test/factories";

afterEach(() => localStorage.clear());

test("a stored member is signed in", () => {
  localStorage.setItem("user", JSON.stringify(aSession()));

  expect(session.read()?.firstName).toBe("Ada Grace");
});

test.each([
  "{broken",
  "null",
  "[]",
  JSON.stringify({ ...aSession(), userToken: "" }),
  JSON.stringify({ ...aSession(), lastName: undefined }),
  JSON.stringify({ ...aSession(), clubName: 7 }),
])("a stored user that no screen could draw is nobody: %s", (stored) => {
  localStorage.setItem("user", stored);

  expect(session.read()).toBeNull();
});
