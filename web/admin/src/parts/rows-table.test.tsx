import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { expect, test } from "vitest";
import { Json } from "~/parts/json";
import { RowsTable } from "~/parts/rows-table";

/** The breakable words in `cell`. */
function breakable(cell: HTMLElement): (string | null)[] {
  return [...cell.querySelectorAll(".is-long")].map((word) => word.textContent);
}

function cellOf(text: string, as?: "word") {
  render(
    <MemoryRouter>
      <RowsTable
        rows={[{ id: "r" }]}
        columns={[{ title: "Text", value: () => text, ...(as === undefined ? {} : { as }) }]}
      />
    </MemoryRouter>,
  );
  return screen.getByRole("cell");
}

test("a word of the wire is broken between its words alone", () => {
  const cell = cellOf("wallet-adjustment", "word");

  expect(cell).toHaveTextContent("Wallet adjustment");
  expect(cell).not.toHaveClass("is-long");
  expect(breakable(cell)).toEqual([]);
});

test("of a sentence only what no line has room for is broken", () => {
  const cell = cellOf("Adjustment for 0123456789012345 and a-very-long-reference of 2026-11-26");

  expect(cell).toHaveTextContent(
    "Adjustment for 0123456789012345 and a-very-long-reference of 2026-11-26",
  );
  expect(cell).not.toHaveClass("is-long");
  expect(breakable(cell)).toEqual(["0123456789012345", "a-very-long-reference"]);
});

test("content is broken by the same rule", () => {
  const { container } = render(
    <Json value={{ reason: "Adjustment of 0199f2a4-0000-7000-8000-0000000000f1" }} />,
  );

  expect(within(container).getByText("Reason")).toBeInTheDocument();
  expect(breakable(container)).toEqual(["0199f2a4-0000-7000-8000-0000000000f1"]);
});
