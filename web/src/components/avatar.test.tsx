import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Avatar } from "@/components/avatar";

test("a picture that does not load leaves the initial, and the next one is tried anew", () => {
  const { container, rerender } = render(<Avatar lastName="Obi" src="/media/avatars/gone.webp" />);

  fireEvent.error(container.querySelector("img") as HTMLImageElement);
  expect(container.querySelector("img")).toBeNull();
  expect(screen.getByText("O")).toBeInTheDocument();

  rerender(<Avatar lastName="Obi" src="/media/avatars/new.webp" />);
  expect(container.querySelector("img")).toHaveAttribute("src", "/media/avatars/new.webp");
});
