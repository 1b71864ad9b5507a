import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { chooseTheme, followTheme } from "@/lib/ui/theme";
import { removeListeners } from "@/test/leftovers";

afterEach(() => void removeListeners());

test("a theme that is chosen in another tab holds in this one", () => {
  const stop = followTheme();
  chooseTheme("light");
  expect(document.documentElement.dataset["theme"]).toBe("light");

  localStorage.setItem("theme", JSON.stringify("dark"));
  window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
  expect(document.documentElement.dataset["theme"]).toBe("dark");

  localStorage.removeItem("theme");
  window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
  expect(document.documentElement.dataset["theme"]).toBeUndefined();
  stop();
});

test.each([
  ['"dark"', "dark"],
  ['"light"', "light"],
  ['"system"', undefined],
  ["{half", undefined],
  [null, undefined],
])("before the first paint the page takes the stored choice %s as %s", (stored, theme) => {
  const script = /<script>(.*?)<\/script>/s.exec(readFileSync("index.html", "utf8"))?.[1] ?? "";
  delete document.documentElement.dataset["theme"];
  if (stored !== null) {
    localStorage.setItem("theme", stored);
  }

  new Function(script)();

  expect(document.documentElement.dataset["theme"]).toBe(theme);
});
