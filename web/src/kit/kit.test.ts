import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Rendered as a whole screen or around one, or only inside other components. */
const NOT_BY_ITSELF = ["icons", "splash", "menu-drawer", "page-bar", "share-dialog"];

test("every part is in the gallery", () => {
  const gallery = readdirSync("src/kit")
    .map((name) => readFileSync(`src/kit/${name}`, "utf8"))
    .join("\n");
  const components = readdirSync("src/components")
    .filter((name) => name.endsWith(".tsx") && !name.endsWith(".test.tsx"))
    .map((name) => name.replace(".tsx", ""))
    .filter((name) => !NOT_BY_ITSELF.includes(name));

  expect(components.filter((name) => !gallery.includes(`"@/components/${name}"`))).toEqual([]);
});
