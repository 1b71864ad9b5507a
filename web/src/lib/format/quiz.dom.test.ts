import { expect, test } from "vitest";
import { plainText } from "@/lib/format/plain-text";
import { optionForKey, readOptions } from "@/lib/format/quiz-options";
import { serverNowMs, setServerClock, splitTime } from "@/lib/live/server-clock";

const options = readOptions('{"B":"Benin","A":"Aba","C":"Calabar"}');
const press = (key: string, change: KeyboardEventInit = {}) =>
  optionForKey(options, new KeyboardEvent("keydown", { key, ...change }))?.text ?? null;

test("options are read from JSON text or an object, in the order of their keys", () => {
  expect(options.map(({ key }) => key)).toEqual(["A", "B", "C"]);
  expect(readOptions({ A: "Aba" })).toEqual([{ key: "A", text: "Aba" }]);
  expect(readOptions("{not json")).toEqual([]);
  expect(readOptions(null)).toEqual([]);
});

test("a key means an option by place or by letter, and nothing with a modifier or held down", () => {
  expect(press("2")).toBe("Benin");
  expect(press("c")).toBe("Calabar");
  expect(press("4")).toBeNull();
  expect(press("x")).toBeNull();
  expect(press("1", { ctrlKey: true })).toBeNull();
  expect(press("1", { repeat: true })).toBeNull();
});

test("a message loses its HTML and runs nothing", () => {
  expect(plainText("<p>All <b>done</b> &amp; dusted</p>")).toBe("All done & dusted");
  expect(plainText('<img src=x onerror="window.hurt = true">Hello')).toBe("Hello");
  expect("hurt" in window).toBe(false);
  expect(plainText(undefined)).toBe("");
});

test("the server's clock counts, however wrong the phone's is", () => {
  setServerClock("2031-05-01T12:00:00.000Z");

  expect(Math.abs(serverNowMs() - Date.parse("2031-05-01T12:00:00Z"))).toBeLessThan(50);
  setServerClock("not a time");
  expect(Math.abs(serverNowMs() - Date.parse("2031-05-01T12:00:00Z"))).toBeLessThan(100);
});

test("time left is split into weeks, days, hours, minutes and seconds, and never below zero", () => {
  const left = ((2 * 7 + 3) * 86_400 + 4 * 3600 + 5 * 60 + 6) * 1000;

  expect(splitTime(left)).toEqual({ weeks: 2, day: 3, hrs: 4, min: 5, sec: 6 });
  expect(splitTime(59_001).min).toBe(1);
  expect(splitTime(-5000)).toEqual({ weeks: 0, day: 0, hrs: 0, min: 0, sec: 0 });
});
