import { storedValue } from "@/lib/device/storage";

export type Theme = "light" | "dark" | "system";

const STORAGE_KEY = "theme";

export const themeChoice = storedValue<Theme>(STORAGE_KEY, (stored) =>
  stored === "light" || stored === "dark" ? stored : null,
);

/** Apply the member's choice to the page; without one the style sheet follows the system. */
function applyTheme(): void {
  const choice = themeChoice.read();
  if (choice === null) {
    delete document.documentElement.dataset["theme"];
  } else {
    document.documentElement.dataset["theme"] = choice;
  }
}

/**
 * Apply the choice to the page now, and whenever it changes: in this tab or in another.
 *
 * Returns a function that stops.
 */
export function followTheme(): () => void {
  applyTheme();
  return themeChoice.subscribe(applyTheme);
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") {
    themeChoice.clear();
  } else {
    themeChoice.write(theme);
  }
  applyTheme();
}
