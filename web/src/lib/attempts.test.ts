import { expect, test } from "vitest";
import { attemptEnded, attemptKey, once } from "@/lib/attempts";
import { Cancelled, NoAnswer, Refusal } from "@/lib/failures";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

test("the same wish keeps its key, which is stored before anything is sent", () => {
  const key = attemptKey("checkout:ada", { total: 1 });

  expect(key).toMatch(UUID);
  expect(attemptKey("checkout:ada", { total: 1 })).toBe(key);
  expect(localStorage.getItem("attempts")).toContain(key);
});

test("other content and other purposes get keys of their own", () => {
  const key = attemptKey("checkout:ada", { total: 1 });

  expect(attemptKey("funding:ada", { total: 1 })).not.toBe(key);
  expect(attemptKey("checkout:ada", { total: 2 })).not.toBe(key);
});

test("after the final answer the same wish is a new one", () => {
  const key = attemptKey("checkout:ada", { total: 1 });

  attemptEnded("checkout:ada");

  expect(attemptKey("checkout:ada", { total: 1 })).not.toBe(key);
});

test.each([
  ["a refusal", new Refusal("No.", { status: 409, code: "no" }), false],
  ["a rush", new Refusal("Wait.", { status: 429, code: "too_many_requests" }), true],
  ["an outage", new Refusal("Wait.", { status: 503, code: "unavailable" }), true],
  ["no answer", new NoAnswer(), true],
  ["a withdrawal", new Cancelled(), true],
])(
  "after %s the same wish keeps its key or gets a new one",
  async (_what, failure, keepsItsKey) => {
    const keys: string[] = [];
    const order = (key: string) => {
      keys.push(key);
      return Promise.reject(failure);
    };

    await once("checkout:ada", { total: 1 }, order).catch(() => undefined);
    await once("checkout:ada", { total: 1 }, order).catch(() => undefined);

    expect(keys[1] === keys[0]).toBe(keepsItsKey);
  },
);
