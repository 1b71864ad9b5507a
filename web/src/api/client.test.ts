import { HttpResponse } from "msw";
import { afterEach, expect, test } from "vitest";
import { get, post } from "@/api/client";
import { ApiError } from "@/lib/api-error";
import { serve } from "@/test/server";

const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
const PLAIN = new Set(Object.getOwnPropertyNames(Object.prototype));

/** An answer whose text is JSON as it is written: an object literal would lose `__proto__`. */
function written(status: number, text: string) {
  return new HttpResponse(text, { status, headers: { "Content-Type": "application/json" } });
}

/** `{"__proto__": …, "constructor": …}` with the same value under each of the names. */
function underEachName(value: string): string {
  return `{${NAMES.map((name) => `${JSON.stringify(name)}: ${value}`).join(", ")}}`;
}

afterEach(() => {
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

    if (!(refused instanceof ApiError)) {
      throw new Error("the call was not refused");
    }
    expect(Object.getPrototypeOf(refused.fields)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(refused.fields).sort()).toEqual([...kept].sort());
  }
});

test("an answer that is no envelope is a refusal and no crash", async () => {
  for (const body of ["null", "[]", '"text"', "7", '{"error": null}', '{"error": {"fields": 7}}']) {
    serve("get", "/api/v1/clubs", () => written(500, body));
    await expect(get("/api/v1/clubs", { asMember: false })).rejects.toBeInstanceOf(ApiError);
  }
});
