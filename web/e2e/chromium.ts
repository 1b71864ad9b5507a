import { accessSync, constants } from "node:fs";
import path from "node:path";

const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chromium-headless-shell",
];

/** The machine's Chromium: the configured one, else one on the path, else Playwright's. */
export function findChromium(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  if (named) {
    return named;
  }
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(canBeRun);
}

function canBeRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
