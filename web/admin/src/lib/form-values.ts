import { isRecord } from "@/lib/device/storage";
import { counted } from "@/lib/format/counts";
import type { FieldFacts, Fields } from "~/lib/facts";

/** Form state: text as typed, or a ticked, picked or composed value. */
export type Typed = string | boolean | File | null | TypedGroup | unknown[];
export interface TypedGroup {
  [name: string]: Typed;
}

const LINES = /\r?\n/;
/** Lagos is an hour ahead of UTC and has no summer time. */
const LAGOS_OFFSET = "+01:00";
const LAGOS_MS = 60 * 60 * 1000;
const HOURS_AND_MINUTES = 5; // characters of `14:05`
const UP_TO_MINUTES = 16; // characters of `2026-11-21T14:05`

const asText = (value: unknown) => (value === null || value === undefined ? "" : String(value));
const unlessEmpty = (typed: Typed) => (typed === "" || typed === null ? undefined : typed);

interface Kind {
  /** The form value for a value on the wire. */
  typed: (value: unknown, facts: FieldFacts) => Typed;
  /** The wire value for a form value; undefined is left out. */
  wire: (typed: Typed, facts: FieldFacts) => unknown;
}

const number: Kind = { typed: asText, wire: numberWire };
const plain: Kind = { typed: asText, wire: unlessEmpty };

const KINDS: Record<FieldFacts["kind"], Kind> = {
  integer: number,
  number,
  choice: plain,
  day: plain,
  id: plain,
  text: { typed: asText, wire: (typed) => unlessEmpty(String(typed ?? "").trim()) },
  boolean: { typed: (value) => value === true, wire: (typed) => typed },
  file: { typed: () => null, wire: unlessEmpty },
  time: { typed: (value) => asText(value).slice(0, HOURS_AND_MINUTES), wire: unlessEmpty },
  moment: {
    typed: (value) => momentTyped(asText(value)),
    wire: (typed) => (typed === "" ? undefined : `${String(typed)}:00${LAGOS_OFFSET}`),
  },
  list: {
    typed: (value, facts) => listTyped(facts, Array.isArray(value) ? value : []),
    wire: (typed, facts) => listWire(facts, typed),
  },
  group: {
    typed: (value, facts) => groupTyped(facts.fields ?? {}, isRecord(value) ? value : {}),
    wire: (typed, facts) => groupWire(facts, typed),
  },
};

/** The form value for a value on the wire. */
export function typedOf(facts: FieldFacts, value: unknown): Typed {
  return KINDS[facts.kind].typed(value, facts);
}

/** The wire value for a form value; undefined is left out. */
export function wireOf(facts: FieldFacts, typed: Typed): unknown {
  return KINDS[facts.kind].wire(typed, facts);
}

/** All fields of a form as form values. */
export function groupTyped(fields: Fields, values: Record<string, unknown>): TypedGroup {
  return Object.fromEntries(
    Object.entries(fields).map(([name, facts]) => [name, typedOf(facts, values[name])]),
  );
}

/** All fields of a form as wire values. */
export function formWire(fields: Fields, typed: TypedGroup): Record<string, unknown> {
  const pairs = Object.entries(fields).map(([name, facts]) => [
    name,
    wireOf(facts, typed[name] ?? null),
  ]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** The error of a form value; the server checks again. */
export function errorOf(facts: FieldFacts, typed: Typed): string | undefined {
  const value = wireOf(facts, typed);
  if (isEmpty(value)) {
    return facts.required === true && facts.kind !== "boolean" ? "This is needed" : undefined;
  }
  if (typeof value === "number") {
    return numberError(facts, value);
  }
  if (facts.kind === "text" && typeof value === "string") {
    return textError(facts, value);
  }
  return Array.isArray(value) ? listError(facts, value) : undefined;
}

/** The error of each invalid field. */
export function groupErrors(fields: Fields, typed: TypedGroup): Record<string, string> {
  const pairs = Object.entries(fields).map(([name, facts]) => [
    name,
    errorOf(facts, typed[name] ?? null),
  ]);
  return Object.fromEntries(pairs.filter(([, sentence]) => sentence !== undefined));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function listError({ max, of }: FieldFacts, values: unknown[]): string | undefined {
  if (max !== undefined && values.length > max) {
    return `At most ${max}`;
  }
  const fields = of?.fields ?? {};
  const wrong = values.filter(isGroup).map((one) => groupErrors(fields, groupTyped(fields, one)));
  return wrong.flatMap((sentences) => Object.values(sentences))[0];
}

function numberError(facts: FieldFacts, value: number): string | undefined {
  if (Number.isNaN(value)) {
    return "Enter a number";
  }
  if (facts.kind === "integer" && !Number.isInteger(value)) {
    return "Enter a whole number";
  }
  if (facts.min !== undefined && value < facts.min) {
    return `At least ${facts.min}`;
  }
  return facts.max !== undefined && value > facts.max ? `At most ${facts.max}` : undefined;
}

function textError(facts: FieldFacts, value: string): string | undefined {
  const length = [...value].length; // counted as on the server
  if (facts.min !== undefined && length < facts.min) {
    return `At least ${counted(facts.min, "character")}`;
  }
  return facts.max !== undefined && length > facts.max
    ? `At most ${counted(facts.max, "character")}`
    : undefined;
}

function numberWire(typed: Typed): number | undefined {
  return typeof typed === "string" && typed.trim() !== "" ? numberOf(typed) : undefined;
}

/** Whether the value is a group, such as an item of a list. */
export function isGroup(value: unknown): value is TypedGroup {
  return isRecord(value);
}

function numberOf(typed: string): number {
  return Number(typed.replaceAll(/[,\s₦]/g, ""));
}

/** Lines of text are typed in one field; picked or composed values stay a list. */
function listTyped(facts: FieldFacts, values: unknown[]): Typed {
  if (facts.of?.kind === "group") {
    const { fields = {} } = facts.of;
    return values.filter(isRecord).map((one) => groupTyped(fields, one));
  }
  return facts.of?.kind === "choice" ? values : values.map(String).join("\n");
}

function listWire(facts: FieldFacts, typed: Typed): unknown {
  if (Array.isArray(typed) && facts.of?.kind === "group") {
    const { fields = {} } = facts.of;
    return typed.filter(isGroup).map((one) => formWire(fields, one));
  }
  if (typeof typed !== "string") {
    return typed ?? undefined;
  }
  const lines = typed.split(LINES).map((line) => line.trim());
  const filled = lines.filter((line) => line !== "");
  const isNumbers = facts.of?.kind === "integer" || facts.of?.kind === "number";
  return isNumbers ? filled.map(numberOf) : filled;
}

/** An optional group is left out while it is empty. */
function groupWire(facts: FieldFacts, typed: Typed): unknown {
  const wire = formWire(facts.fields ?? {}, isGroup(typed) ? typed : {});
  const isUntouched = Object.values(wire).every((value) => value === false);
  return isUntouched && facts.required !== true ? undefined : wire;
}

function momentTyped(iso: string): string {
  const moment = Date.parse(iso);
  return Number.isNaN(moment)
    ? ""
    : new Date(moment + LAGOS_MS).toISOString().slice(0, UP_TO_MINUTES);
}
