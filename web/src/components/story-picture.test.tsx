import { fireEvent, render } from "@testing-library/react";
import { expect, test } from "vitest";
import { StoryPicture } from "@/components/story-picture";

test("an article without a picture shows the club's colours", () => {
  const { container } = render(<StoryPicture src={null} width={88} height={88} />);

  expect(container.querySelector("img")).toBeNull();
  expect(container.querySelector(".story-none")).not.toBeNull();
});

test("so does one whose picture does not load, until it has another", () => {
  const { container, rerender } = render(
    <StoryPicture src="/media/news/gone.webp" width={88} height={88} />,
  );

  fireEvent.error(container.querySelector("img") as HTMLImageElement);
  expect(container.querySelector(".story-none")).not.toBeNull();

  rerender(<StoryPicture src="/media/news/new.webp" width={88} height={88} />);
  expect(container.querySelector("img")).toHaveAttribute("src", "/media/news/new.webp");
});
