import { QueryClient, queryOptions } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { keys } from "@/api/query-keys";

const ADA = { id: "member-1", club: "club-1" };

test("the compiler refuses a key that is typed outside the registry", () => {
  const client = new QueryClient();

  // @ts-expect-error: typed here, in options
  queryOptions({ queryKey: ["wallet", ADA.id] });
  // @ts-expect-error: typed here, as a filter
  void client.invalidateQueries({ queryKey: ["wallet"] });
  // @ts-expect-error: a registered key, made longer here
  client.setQueryData([...keys.wallet(ADA.id), "balance"], 1);
  // @ts-expect-error: typed here, as a constant
  client.getQueryData(["wallet", ADA.id] as const);

  client.setQueryData(keys.balance(ADA.id), 25_000);
  expect(client.getQueryData(keys.balance(ADA.id))).toBe(25_000);
});

test("no two answers have the same name", () => {
  const made = Object.values(keys).map((key) =>
    typeof key === "function" ? (key as (...args: unknown[]) => unknown)(ADA, {}) : key,
  );

  expect(new Set(made.map((key) => JSON.stringify(key))).size).toBe(made.length);
});
