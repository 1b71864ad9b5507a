import { HttpResponse } from "msw";
import { afterEach, expect, test, vi } from "vitest";
import { get, post } from "@/api/client";
import { upload } from "@/api/upload";
import { Cancelled, NoAnswer, Refusal } from "@/lib/live/failures";
import { serve } from "@/test/server";

const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
const PLAIN = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A response whose text is raw JSON: an object literal would lose `__proto__`. */
function written(status: number, text: string) {
  return new HttpResponse(text, { status, headers: { "Content-Type": "application/json" } });
}

/** `{"__proto__": …, "constructor": …}` with the same value under each of the names. */
function underEachName(value: string): string {
  return `{${NAMES.map((name) => `${JSON.stringify(name)}: ${value}`).join(", ")}}`;
}

afterEach(() => {
  vi.restoreAllMocks();
  expect(new Set(Object.getOwnPropertyNames(Object.prototype))).toEqual(PLAIN);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("names in an answer never reach a prototype", async () => {
  const polluting = underEachName('{"polluted": true}');
  serve("get", "/api/v1/clubs", () =>
    written(200, `{"status": 200, "message": "", "data": [${polluting}], "__proto__": {"a": 1}}`),
  );

  const { data } = await get("/api/v1/clubs", { asMember: false });

  const club: unknown = data[0];
  expect(Object.getOwnPropertyNames(club).sort()).toEqual([...NAMES].sort());
  expect(Object.getPrototypeOf(club)).toBe(Object.prototype);
});

test("names of a refusal's fields are plain names", async () => {
  const fields = underEachName('"Please enter it."');
  const nested = underEachName('{"polluted": true}');
  for (const [sent, kept] of [
    [fields, [...NAMES]],
    [nested, []],
  ] as const) {
    serve("post", "/api/v1/password/forgot", () =>
      written(422, `{"message": "No.", "data": null, "error": {"code": "x", "fields": ${sent}}}`),
    );

    const refused = await post(
      "/api/v1/password/forgot",
      { email: "ada@example.com" },
      { asMember: false },
    ).catch((error: unknown) => error);

    if (!(refused instanceof Refusal)) {
      throw new Error("the call was not refused");
    }
    expect(Object.getPrototypeOf(refused.fields)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(refused.fields).sort()).toEqual([...kept].sort());
  }
});

test("an answer that is no envelope with a code is no answer", async () => {
  for (const body of ["null", "[]", '"text"', "7", '{"error": null}', '{"error": {"fields": 7}}']) {
    serve("get", "/api/v1/clubs", () => written(500, body));
    await expect(get("/api/v1/clubs", { asMember: false })).rejects.toBeInstanceOf(NoAnswer);
  }
});

test("a success that cannot be read is no answer, whatever its status", async () => {
  for (const body of ["", '{"status": 201, "mess', "null", "<html>"]) {
    serve("post", "/api/v1/password/forgot", () => written(201, body));
    await expect(forgot()).rejects.toBeInstanceOf(NoAnswer);
  }
});

test("a gateway's page is told in a sentence of ours", async () => {
  serve("post", "/api/v1/password/forgot", () => written(502, "<html>Bad Gateway</html>"));

  await expect(forgot()).rejects.toThrow("The server is not available at the moment.");
});

test("without a network a write fails at once, says so, and nothing leaves", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const asked = serve("post", "/api/v1/password/forgot", () => written(200, "{}"));

  await expect(forgot()).rejects.toThrow("You are offline. Nothing was sent.");
  await expect(upload("/api/v1/users/updatekyc", { user: "{}" })).rejects.toThrow(
    "You are offline.",
  );

  expect(asked).toHaveLength(0);
});

test("what the caller withdraws is cancelled and no lost answer", async () => {
  serve("get", "/api/v1/clubs", () => new Promise<never>(() => undefined));
  const caller = new AbortController();
  const asked = get("/api/v1/clubs", { asMember: false, signal: caller.signal });

  caller.abort();

  await expect(asked).rejects.toBeInstanceOf(Cancelled);
});

function forgot() {
  return post("/api/v1/password/forgot", { email: "ada@example.com" }, { asMember: false });
}

test("what is read goes out in a task of its own, what is written at once", async () => {
  const fetching = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => written(200, '{"status": 200, "message": "", "data": []}'));

  const read = get("/api/v1/clubs", { asMember: false });
  const wrote = post("/api/v1/password/forgot", { email: "ada@example.com" }, { asMember: false });
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.resolve(); // yields to the event loop
  }
  expect(fetching.mock.calls.map(([address]) => address)).toEqual(["/api/v1/password/forgot"]);
  await Promise.all([read, wrote]);

  expect(fetching).toHaveBeenCalledTimes(2);
});

test("a call without a response is given up after thirty seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    serve("post", "/api/v1/password/forgot", () => new Promise<never>(() => undefined));
    let outcome: unknown = "waits";
    const call = forgot().catch((error: unknown) => {
      outcome = error;
    });

    await vi.advanceTimersByTimeAsync(29_999);
    expect(outcome).toBe("waits");
    await vi.advanceTimersByTimeAsync(1);
    await call;

    expect(outcome).toBeInstanceOf(NoAnswer);
  } finally {
    vi.useRealTimers();
  }
});
