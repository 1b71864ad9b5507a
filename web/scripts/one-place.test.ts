import { expect, test } from "vitest";
import { PLACES_IN_TESTS, strays } from "./one-place.mjs";

test.each([
  ["const day = new Intl.DateTimeFormat();", "a format of dates or numbers"],
  ['return count.toLocaleString("en-NG");', "a format of dates or numbers"],
  ['const word = count === 1 ? "goal" : "goals";', "a singular or plural"],
  ['window.addEventListener("beforeunload", ask);', "a guard of the tab"],
  ["let latest: SentSignUp | null = null;", "a variable that lives as long as the page"],
])("%s is found outside its place", (line, what) => {
  const found = strays("src/features/shop/goals.ts", `// first\n${line}\n`);

  expect(found).toHaveLength(1);
  expect(found[0]).toContain(`src/features/shop/goals.ts:2 has ${what}`);
});

test("in its place it is left alone", () => {
  expect(strays("src/lib/format/counts.ts", "return count === 1 ? one : many;")).toEqual([]);
});

test.each([
  ["await expect.poll(() => sent.length).toBe(2);", "a poll"],
  [
    'expect(await screen.findAllByRole("link")).toHaveLength(2);',
    "a count of what was found first",
  ],
])("in a test %s is found: React would render outside of act, or be half done", (line, what) => {
  const found = strays("src/features/shop/goals.test.tsx", line, PLACES_IN_TESTS);

  expect(found[0]).toContain(`has ${what}`);
});
