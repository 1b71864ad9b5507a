import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Where colours, steps, layers and durations have their names; all other style sheets use those.
 */
const TOKENS = "src/styles/tokens.css";

const SPACING = /^(?:(?:row-|column-)?gap|margin|padding)(?:-|$)/;
const SHAPED = /^(?:border|outline|box-shadow|text-shadow)(?:-|$)/;

/** The rules: the raw values of a property. */
const RULES = [
  {
    what: "colour",
    raw: (_, value) =>
      value.match(/#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/gi) ?? [],
  },
  {
    what: "colour",
    raw: (property, value) =>
      /color|^(?:background|border|outline|fill|stroke|box-shadow|--)/.test(property)
        ? (value.match(/(?<![\w-])(?:white|black|red|green|blue|gr[ae]y)(?![\w-])/gi) ?? [])
        : [],
  },
  {
    what: "length",
    raw: (property, value) =>
      lengthsIn(value).filter((pixels) => {
        const size = Math.abs(Number.parseFloat(pixels));
        // A hairline is as thin as a line can be, and zero is zero.
        const isHairline = size <= 1;
        // A measure beyond the scale belongs to a single component, and no other has to agree with
        // it.
        const isMeasure = size > 48 && !SPACING.test(property) && !SHAPED.test(property);
        return !isHairline && !isMeasure;
      }),
  },
  {
    what: "size of type",
    raw: (property, value) =>
      /^font(?:-size)?$/.test(property) ? (value.match(/(?<![\w-])[\d.]+rem\b/g) ?? []) : [],
  },
  {
    what: "layer",
    raw: (property, value) => (property === "z-index" && /\d/.test(value) ? [value] : []),
  },
  {
    what: "duration",
    raw: (property, value) =>
      /^(?:animation|transition)/.test(property)
        ? (value.match(/(?<![\w-])[\d.]+m?s\b/g) ?? []).filter((time) => time !== "0s")
        : [],
  },
];

function lengthsIn(value) {
  return value.match(/(?<![\w.])-?\d+(?:\.\d+)?px\b/g) ?? [];
}

/** Every raw value of a style sheet, as `file:line …`; media queries cannot use tokens. */
export function rawValues(file, text) {
  if (file === TOKENS) {
    return [];
  }
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  const declarations = bare.matchAll(/(?<=^|[{};])\s*([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/gm);
  return [...declarations].flatMap(({ 0: whole, 1: property, 2: value, index }) => {
    const line = bare.slice(0, index + whole.search(/\S/)).split("\n").length;
    return RULES.flatMap(({ what, raw }) =>
      raw(property, value).map(
        (found) => `${file}:${line} has the raw ${what} ${found}: name it in ${TOKENS}`,
      ),
    );
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const sheets = ["src", "admin/src", "visitor"].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((name) => path.posix.join(folder, name.replaceAll("\\", "/")))
      .filter((name) => name.endsWith(".css")),
  );
  const found = sheets.flatMap((file) => rawValues(file, readFileSync(file, "utf8")));
  for (const each of found) {
    console.error(each);
  }
  process.exitCode = found.length > 0 ? 1 : 0;
}
