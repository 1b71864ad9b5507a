import { expect, test } from "vitest";
import { Cancelled, NoAnswer, Refusal } from "@/lib/live/failures";
import { keyFor, once, releaseKey } from "@/lib/session/idempotency-keys";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

test("the same wish keeps its key, which is stored before anything is sent", () => {
  const key = keyFor("checkout:ada", { total: 1 });

  expect(key).toMatch(UUID);
  expect(keyFor("checkout:ada", { total: 1 })).toBe(key);
  expect(localStorage.getItem("attempts")).toContain(key);
});

test("other content and other purposes get keys of their own", () => {
  const key = keyFor("checkout:ada", { total: 1 });

  expect(keyFor("funding:ada", { total: 1 })).not.toBe(key);
  expect(keyFor("checkout:ada", { total: 2 })).not.toBe(key);
});

test("after the final answer the same wish is a new one", () => {
  const key = keyFor("checkout:ada", { total: 1 });

  releaseKey("checkout:ada", key);

  expect(keyFor("checkout:ada", { total: 1 })).not.toBe(key);
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

test("a wish that nobody decided keeps its key while another is tried, and when that ends", () => {
  const first = keyFor("checkout:ada", { address: "14 Aba Road" });
  const second = keyFor("checkout:ada", { address: "15 Aba Road" });

  releaseKey("checkout:ada", second);

  expect(keyFor("checkout:ada", { address: "14 Aba Road" })).toBe(first);
  expect(keyFor("checkout:ada", { address: "15 Aba Road" })).not.toBe(second);
});

test("nothing of what was wished for is stored, only its digest", () => {
  keyFor("checkout:ada", { address: "14 Aba Road", phone: "08031234567" });

  expect(localStorage.getItem("attempts")).not.toMatch(/Aba|0803/);
});

test("a success ends the key", async () => {
  const keys: string[] = [];
  const order = async (key: string) => keys.push(key);

  await once("checkout:ada", { total: 1 }, order);
  await once("checkout:ada", { total: 1 }, order);

  expect(keys[1]).not.toBe(keys[0]);
});
