import { expect, test } from "vitest";
import type { FieldFacts } from "~/lib/facts";
import { errorOf, formWire, groupTyped, typedOf, wireOf } from "~/lib/form-values";

test.each<[FieldFacts, string, unknown]>([
  [{ kind: "text" }, " Home Jersey ", "Home Jersey"],
  [{ kind: "text" }, "", undefined],
  [{ kind: "number" }, "15,000.50", 15000.5],
  [{ kind: "number" }, "₦1,500", 1500],
  [{ kind: "integer" }, "", undefined],
  [{ kind: "moment" }, "2026-11-21T14:05", "2026-11-21T14:05:00+01:00"],
  [{ kind: "list", of: { kind: "text" } }, "one\n\n two \r\nthree", ["one", "two", "three"]],
  [{ kind: "list", of: { kind: "integer" } }, "1\n2", [1, 2]],
  [{ kind: "choice" }, "", undefined],
])("with %j %j is sent as %j", (facts, typed, wire) => {
  expect(wireOf(facts, typed)).toEqual(wire);
});

test("a moment of the server is shown in Lagos, and comes back the same", () => {
  const facts: FieldFacts = { kind: "moment" };
  const typed = typedOf(facts, "2026-11-21T23:30:00Z");

  expect(typed).toBe("2026-11-22T00:30");
  expect(Date.parse(String(wireOf(facts, typed)))).toBe(Date.parse("2026-11-21T23:30:00Z"));
});

test.each<[FieldFacts, string, string | undefined]>([
  [{ kind: "text", required: true }, "  ", "This is needed"],
  [{ kind: "text", max: 3 }, "four", "At most 3 characters"],
  [{ kind: "text", max: 3 }, "👍👍👍", undefined],
  [{ kind: "text", min: 2 }, "a", "At least 2 characters"],
  [{ kind: "integer" }, "1.5", "Enter a whole number"],
  [{ kind: "number" }, "abc", "Enter a number"],
  [{ kind: "number", min: 1 }, "0", "At least 1"],
  [{ kind: "number", max: 9 }, "10", "At most 9"],
  [{ kind: "list", max: 1, of: { kind: "text" } }, "a\nb", "At most 1"],
  [{ kind: "number" }, "", undefined],
])("with %j %j is told %j", (facts, typed, sentence) => {
  expect(errorOf(facts, typed)).toBe(sentence);
});

test("what is wrong in one of several groups is told of the list", () => {
  const fee = { kind: "number", required: true } as const;
  const facts: FieldFacts = { kind: "list", of: { kind: "group", fields: { fee } } };

  expect(typedOf(facts, [{ fee: 1500 }])).toEqual([{ fee: "1500" }]);
  expect(wireOf(facts, [{ fee: "1,500" }])).toEqual([{ fee: 1500 }]);
  expect(errorOf(facts, [{ fee: "1" }, { fee: "x" }])).toBe("Enter a number");
  expect(errorOf(facts, [{ fee: "1" }, { fee: "" }])).toBe("This is needed");
});

test("a form is sent without what was left empty, and with what is not ticked", () => {
  const fields = {
    plan: { kind: "text", required: true },
    position: { kind: "integer" },
    hidden: { kind: "boolean" },
    account: { kind: "group", fields: { bank: { kind: "text" } } },
  } as const;
  const typed = { ...groupTyped(fields, { plan: "Terrace" }), position: "" };

  expect(formWire(fields, typed)).toEqual({ plan: "Terrace", hidden: false });
});
