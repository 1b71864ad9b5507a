import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { expect, test, vi } from "vitest";
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

test("a narrow table leaves its minor columns out", () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        matches: query === "(min-width: 900px) and (max-width: 1199px)",
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
  render(
    <MemoryRouter>
      <RowsTable
        rows={[{ id: "r" }]}
        columns={[
          { title: "Order", value: () => "FC-1" },
          { title: "Payment", value: () => "wallet", minor: true },
          { title: "Total", as: "naira", value: () => 5, total: true },
        ]}
        totals={{ label: "Total of 1 order", rows: [{ id: "r" }] }}
      />
    </MemoryRouter>,
  );

  const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(heads).toEqual(["Order", "Total"]);
  expect(screen.queryByText("wallet")).toBeNull();
  expect(screen.getByRole("rowheader")).toHaveAttribute("colspan", "1");
});

test("a table that is wider than its box can be scrolled by keys, and says so", () => {
  vi.spyOn(Element.prototype, "scrollWidth", "get").mockReturnValue(800);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(500);
  cellOf("wide");

  const box = screen.getByRole("region", { name: "Table, wider than the screen" });
  expect(box).toHaveAttribute("tabindex", "0");
  expect(box).toHaveClass("is-cut");
});

test("an order's number stays whole at its hyphen", () => {
  const cell = cellOf("order FC-7K3Q9X");

  expect(within(cell).getByText("FC-7K3Q9X")).toHaveClass("is-whole");
  // One element in the cell: links and cards lay out each child by itself.
  expect(cell.childNodes).toHaveLength(1);
  expect(cell).toHaveTextContent("order FC-7K3Q9X");
});
