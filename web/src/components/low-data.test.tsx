import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Avatar } from "@/components/avatar";
import { ProductPicture } from "@/components/product-picture";
import { StoryPicture } from "@/components/story-picture";
import { lowDataChoice } from "@/lib/device/low-data";

test("who spares data sees an initial in place of a face, at once and both ways", () => {
  const { container } = render(<Avatar lastName="Ada" src="/media/avatars/ada.webp" />);
  expect(container.querySelector("img")).toHaveAttribute("src", "/media/avatars/ada.webp");

  act(() => lowDataChoice.write(true));
  expect(container.querySelector("img")).toBeNull();
  expect(screen.getByText("A")).toBeInTheDocument();

  act(() => lowDataChoice.write(false));
  expect(container.querySelector("img")).not.toBeNull();
});

test("who spares data sees the club's colours in place of an article's picture", () => {
  const { container } = render(<StoryPicture src="/media/news/a.webp" width={88} height={88} />);
  expect(container.querySelector("img")).toHaveAttribute("src", "/media/news/a.webp");

  act(() => lowDataChoice.write(true));
  expect(container.querySelector("img")).toBeNull();
  expect(container.querySelector(".story-none")).not.toBeNull();
});

test("who spares data fetches a product's picture only when it comes into view", () => {
  const { container } = render(<ProductPicture src="/media/scarf.webp" size={240} eager />);
  expect(container.querySelector("img")).toHaveAttribute("loading", "eager");

  act(() => lowDataChoice.write(true));
  expect(container.querySelector("img")).toHaveAttribute("loading", "lazy");
});
