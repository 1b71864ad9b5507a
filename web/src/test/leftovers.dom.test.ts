import { act } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { leftovers, removeAbilities } from "@/test/leftovers";

test("an act that was not awaited is reported", async () => {
  const forgotten = act(async () => undefined);

  expect(leftovers()).toEqual(["An act that was not awaited."]);
  await forgotten;
  expect(leftovers()).toEqual([]);
});

test("an error in the console is reported once", () => {
  vi.mocked(console.error).mockImplementationOnce(() => undefined);
  console.error("silenced by the test itself");
  console.error("Each child in a list should have a unique %s prop.", "key");

  expect(leftovers()).toEqual(["Each child in a list should have a unique key prop."]);
  expect(leftovers()).toEqual([]);
});

test("leftover listeners and elements are reported and removed", () => {
  const listener = vi.fn();
  document.addEventListener("click", listener, true);
  document.body.append(document.createElement("dialog"));

  expect(leftovers()).toEqual([
    expect.stringMatching(/^A listener to click: /),
    "An element: <dialog></dialog>",
  ]);
  document.body.click();
  expect(listener).not.toHaveBeenCalled();
  expect(document.body).toBeEmptyDOMElement();
});

test("what a test gave the browser is taken back", () => {
  Object.defineProperty(navigator, "vibrate", { configurable: true, value: vi.fn() });

  removeAbilities();

  expect("vibrate" in navigator).toBe(false);
});
