import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { withRunTimeEndpoints } from "./paystack-endpoints.ts";

const library = readFile("node_modules/@paystack/inline-js/es/inline.js", "utf8");

test("all four addresses of the installed library become run-time choices", async () => {
  const { code, literals } = withRunTimeEndpoints(await library);

  expect(literals).toBe(4);
  expect(code).toContain('(globalThis.__PAYSTACK_ENDPOINTS__||{}).checkoutUrl||"https://checkout');
});

test("a library that has changed is noticed by its count", async () => {
  const changed = (await library).replace("https://api.paystack.co/", "https://api2.paystack.co/");

  expect(withRunTimeEndpoints(changed).literals).toBe(3);
});
