import { afterEach, expect, test, vi } from "vitest";
import { OPERATOR_VIEWS } from "@/lib/device/operator-tab";
import { clearMemberData } from "@/lib/device/storage";
import { beginSession, session } from "@/lib/session/session";
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

test("a sign-in over another member's leaves nobody signed out in between", () => {
  session.write(aSession());
  const seen: (string | undefined)[] = [];
  const stop = session.subscribe(() => seen.push(session.read()?.id));
  const removed: (string | null)[] = [];
  const remove = vi.spyOn(Storage.prototype, "removeItem").mockImplementation((key) => {
    removed.push(key);
  });

  beginSession(aSession({ id: "member-2", userToken: "token-of-bello" }));
  stop();
  remove.mockRestore();

  expect(removed).not.toContain("user");
  expect(seen).not.toContain(undefined);
  expect(session.read()?.id).toBe("member-2");
});

test("what an operator keeps on this device stays when a member signs out", () => {
  localStorage.setItem(OPERATOR_VIEWS, "[]");
  localStorage.setItem("chat-draft", "mine");

  clearMemberData();

  expect(localStorage.getItem(OPERATOR_VIEWS)).toBe("[]");
  expect(localStorage.getItem("chat-draft")).toBeNull();
});
