import { expect, test } from "vitest";
import { csvOf } from "~/lib/csv";

test("cells are separated by commas, lines end as spreadsheets expect", () => {
  expect(csvOf(["number", "total"], [["KF-1", 1500.5]])).toBe("number,total\r\nKF-1,1500.5\r\n");
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])(
  "the text %j is shown by a spreadsheet, never run",
  (text) => {
    const cell = csvOf(["a"], [[text]]).split("a\r\n")[1] ?? "";

    expect(cell.replace(/^"/, "").startsWith("'")).toBe(true);
  },
);

test("a number stays one, a minus included", () => {
  expect(csvOf(["a"], [[-5]])).toBe("a\r\n-5\r\n");
});

test("quotes, commas and lines stay inside their cell", () => {
  expect(csvOf(["a"], [['say "yes", now\nor never']])).toBe(
    'a\r\n"say ""yes"", now\nor never"\r\n',
  );
});

test("nothing is an empty cell", () => {
  expect(csvOf(["a", "b"], [[null, undefined]])).toBe("a,b\r\n,\r\n");
});
