import { expect, test } from "vitest";
import {
  avatarColour,
  crestLetters,
  displayName,
  shortName,
  spokenWords,
} from "@/lib/format/names";

test("a name is the last name and the first name without its trailing word", () => {
  expect(displayName("Obi", "Ada Grace")).toBe("Obi Ada");
  expect(displayName("Musa", "Bello")).toBe("Musa Bello");
});

test("a badge is written in words", () => {
  expect(spokenWords("king-of-fans")).toBe("King Of Fans");
});

test("a product's name is cut at 16 characters", () => {
  expect(shortName("Enyimba Home Jersey 2026")).toBe("Enyimba Home Jer…");
  expect(shortName("Club Scarf")).toBe("Club Scarf");
});

test("avatar colours cycle through six by initial, also outside A to Z", () => {
  expect(avatarColour("Ada")).toBe(0);
  expect(avatarColour("Fela")).toBe(5);
  expect(avatarColour("Gowon")).toBe(0);
  expect(avatarColour("Ṣóyínká")).toBeGreaterThanOrEqual(0);
  expect(avatarColour("")).toBeLessThan(6);
});

test("a drawn crest shows the initials of two words", () => {
  expect(crestLetters("Kano Pillars")).toBe("KP");
  expect(crestLetters("Enyimba")).toBe("E");
});
