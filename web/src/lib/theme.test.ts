import { expect, test } from "vitest";
import { chooseTheme, followTheme } from "@/lib/theme";

test("a theme that is chosen in another tab holds in this one", () => {
  followTheme();
  chooseTheme("light");
  expect(document.documentElement.dataset["theme"]).toBe("light");

  localStorage.setItem("theme", JSON.stringify("dark"));
  window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
  expect(document.documentElement.dataset["theme"]).toBe("dark");

  localStorage.removeItem("theme");
  window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
  expect(document.documentElement.dataset["theme"]).toBeUndefined();
});
