import { expect, test } from "vitest";
import type { Cell } from "~/lib/csv";
import { nextSort, type SortColumn, sortRows } from "~/lib/sorting";

function sorted(cells: Cell[], order: "asc" | "desc", column: Partial<SortColumn<Cell>> = {}) {
  return sortRows(cells, { title: "Cell", value: (cell) => cell, ...column }, order);
}

test("texts are sorted as people write them: small letters and numbers within them", () => {
  expect(sorted(["order 10", "Order 9", "ada", "Bello"], "asc")).toEqual([
    "ada",
    "Bello",
    "Order 9",
    "order 10",
  ]);
});

test("numbers are sorted as numbers", () => {
  expect(sorted([10, -2, 9.5], "asc")).toEqual([-2, 9.5, 10]);
  expect(sorted([10, -2, 9.5], "desc")).toEqual([10, 9.5, -2]);
});

test("moments are sorted by time, whatever their offset", () => {
  const early = "2026-11-21T09:30:00+01:00";
  const late = "2026-11-21T09:00:00Z";

  expect(sorted([late, early], "asc", { as: "moment" })).toEqual([early, late]);
});

test("states are sorted by the labels that they are shown as", () => {
  // By its wire name, a line comes before a hyphen.
  expect(sorted(["half_time", "half-built", "Half a"], "asc", { as: "state" })).toEqual([
    "Half a",
    "half-built",
    "half_time",
  ]);
});

test("empty cells come last in both directions", () => {
  const cells = [null, "b", "", "a", undefined];

  expect(sorted(cells, "asc")).toEqual(["a", "b", null, "", undefined]);
  expect(sorted(cells, "desc")).toEqual(["b", "a", null, "", undefined]);
});

test("rows that are the same in a column keep the order they had in both directions", () => {
  const rows = [
    { id: 1, word: "b" },
    { id: 2, word: "a" },
    { id: 3, word: "B" },
  ];
  const column = { title: "Word", value: ({ word }: { word: string }) => word };

  expect(sortRows(rows, column, "asc").map(({ id }) => id)).toEqual([2, 1, 3]);
  expect(sortRows(rows, column, "desc").map(({ id }) => id)).toEqual([1, 3, 2]);
});

test("a column may sort by something else than its text", () => {
  const rows = [{ days: 365 }, { days: 7 }];
  const column = {
    title: "Lasts",
    value: ({ days }: { days: number }) => (days === 7 ? "One week" : "A year"),
    sortBy: ({ days }: { days: number }) => days,
  };

  expect(sortRows(rows, column, "asc").map(({ days }) => days)).toEqual([7, 365]);
});

test("a header sorts up, then down, then not at all", () => {
  const up = nextSort(null, "total");
  const down = nextSort(up, "total");

  expect(up).toEqual({ by: "total", order: "asc" });
  expect(down).toEqual({ by: "total", order: "desc" });
  expect(nextSort(down, "total")).toBeNull();
  expect(nextSort(down, "placed")).toEqual({ by: "placed", order: "asc" });
});
