import { expect, test } from "vitest";
import { rawValues } from "./styles.mjs";

test.each([
  ["color: #b3231b", "colour #b3231b"],
  ["background: rgb(10 17 14 / 55%)", "colour rgb("],
  ["border: 0 solid white", "colour white"],
  ["--sunken: #fff", "colour #fff"],
  ["padding: 13px var(--space-8)", "length 13px"],
  ["margin: -4px", "length -4px"],
  ["gap: 96px", "length 96px"],
  ["width: 40px", "length 40px"],
  ["border-radius: 99px", "length 99px"],
  ["box-shadow: 0 0 60px var(--line)", "length 60px"],
  ["font: 800 1.5rem / 1 var(--display)", "size of type 1.5rem"],
  ["font-size: clamp(2rem, 5vw, 3rem)", "size of type 2rem"],
  ["z-index: 7", "layer 7"],
  ["transition: translate 160ms", "duration 160ms"],
])("%s is raw", (declaration, found) => {
  const sheet = `/* #fff */\n.part {\n  ${declaration};\n}\n`;

  expect(rawValues("src/features/shop/part.css", sheet)[0]).toBe(
    `src/features/shop/part.css:3 has the raw ${found}: name it in src/styles/tokens.css`,
  );
});

test.each([
  ".part { padding: var(--space-12) 0; color: var(--ink); }",
  ".part { border: 1px solid var(--line); margin: -1px 0; }",
  ".part { width: 380px; grid-template-columns: 84px 1fr; }",
  ".part { transition: visibility 0s var(--motion-move); z-index: var(--layer-bar); }",
  ".part { white-space: nowrap; translate: -100% 0; margin: 0.25em; }",
  "@media (min-width: 600px) { .part:hover { gap: var(--space-4); } }",
])("%s is no raw value", (sheet) => {
  expect(rawValues("src/features/shop/part.css", sheet)).toEqual([]);
});

test("tokens are where raw values have their names", () => {
  expect(rawValues("src/styles/tokens.css", ":root { --ink: #0f1a15; }")).toEqual([]);
});
