import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Code with a single home: elsewhere it is imported from there. */
export const PLACES = [
  {
    what: "a format of dates or numbers",
    pattern: /\bIntl\.(?!Collator\b)|\.toLocale(?:Date|Time)?String\(/,
    only: ["src/lib/format/counts.ts", "src/lib/format/dates.ts", "src/lib/format/money.ts"],
  },
  { what: "a singular or plural", pattern: /[=!]== 1\s*\?/, only: ["src/lib/format/counts.ts"] },
  {
    what: "a socket",
    pattern: /\bopenSocket\(/,
    only: ["src/lib/live/reconnecting-socket.ts", "src/lib/live/socket.ts"],
  },
  {
    what: "a guard of the tab",
    pattern: /"beforeunload"/,
    only: ["src/lib/ui/screen-history.ts", "src/lib/ui/use-leave-guard.ts"],
  },
  {
    what: "a step in the browser's history",
    pattern: /\bhistory\.(?:pushState|replaceState|back|forward|go)\(/,
    only: ["src/lib/ui/screen-history.ts"],
  },
  {
    what: "a dialog that Back may not know",
    pattern: /<dialog\b|\.showModal\(|\bpopover(?:=|T)/,
    only: ["src/components/modal-dialog.tsx", "src/lib/ui/overlays.ts"],
  },
  {
    // It outlives a sign-out and, in tests, its file: a value of a member is a `storedValue`.
    what: "a variable that lives as long as the page",
    pattern: /^(?:export )?let /,
    only: [
      "admin/src/lib/fresh-code.ts",
      "admin/src/lib/operator-session.ts",
      "src/app/opening-screens.ts",
      "src/features/wallet/checkout-provider.ts",
      "src/lib/device/feedback.ts",
      "src/lib/device/install.ts",
      "src/lib/device/new-version.ts",
      "src/lib/device/online.ts",
      "src/lib/device/report-error.ts",
      "src/lib/live/payment-channel.ts",
      "src/lib/live/server-clock.ts",
      "src/lib/live/socket.ts",
      "src/lib/session/pending-cleanup.ts",
      "src/lib/ui/overlays.ts",
      "src/lib/ui/status.ts",
      "src/lib/ui/toasts.ts",
    ],
  },
];

/** The waits for tests of screens: React renders outside of `act` while anything else waits. */
const WAITS = ["waitFor of the testing library"];
export const PLACES_IN_TESTS = [
  { what: "a poll", pattern: /\bexpect\.poll\(/, only: WAITS },
  {
    what: "a count of what was found first",
    pattern: /await .*findAllBy\w+\(.*(?<!\.not)\.toHaveLength\((?!1\))/,
    only: WAITS,
  },
];

/** Each line of `text` that duplicates such code, as `file:line says …`. */
export function strays(file, text, places = PLACES) {
  return places
    .filter(({ only }) => !only.includes(file))
    .flatMap(({ what, pattern, only }) =>
      text
        .split("\n")
        .map((line, index) => ({ line, number: index + 1 }))
        .filter(({ line }) => pattern.test(line))
        .map(({ number }) => `${file}:${number} has ${what}: its place is ${only.join(", ")}`),
    );
}

function sources(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.posix.join(folder, name.replaceAll("\\", "/")))
    .filter((name) => /\.tsx?$/.test(name) && !/\.gen\.ts$|^src\/test\//.test(name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const found = ["src", "admin/src", "visitor"].flatMap(sources).flatMap((file) => {
    const places = /\.test\.tsx?$/.test(file) ? PLACES_IN_TESTS : PLACES;
    return strays(file, readFileSync(file, "utf8"), places);
  });
  for (const stray of found) {
    console.error(stray);
  }
  process.exitCode = found.length > 0 ? 1 : 0;
}
