import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { StarRating } from "@/components/star-rating";

test("a rating out of 10 is told as 5 stars with halves", () => {
  render(<StarRating outOfTen={9} />);

  expect(screen.getByRole("img", { name: "4.5 out of 5 stars" })).toBeInTheDocument();
});

test("a rating outside of its range is drawn at its end", () => {
  render(<StarRating outOfTen={14} />);

  expect(screen.getByRole("img", { name: "5 out of 5 stars" })).toBeInTheDocument();
});
