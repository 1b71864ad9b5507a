import { useEffect, useRef, useState } from "react";
import { isRecord } from "@/lib/device/storage";
import { Refusal } from "@/lib/live/failures";
import { showFailure } from "@/lib/ui/show-failure";
import {
  type BodyOf,
  type Call,
  type FieldOf,
  factsOf,
  type InPathOf,
  splitCall,
  type Writing,
} from "~/api/calls";
import type { Outcome } from "~/api/client";
import { useWriteCall } from "~/api/use-write-call";
import type { Fields } from "~/lib/facts";
import { formWire, groupErrors, groupTyped, type Typed, type TypedGroup } from "~/lib/form-values";
import { labelOf } from "~/lib/words";

/** The current resource, as returned by the server. */
export type Resource = Readonly<Record<string, unknown>>;

export interface ResourceFormSteps<C extends Writing> {
  call: C;
  /** The values of the `{names}` in the address. */
  inPath?: (InPathOf<C> & object) | undefined;
  /** The fields to show, in this order; by default all that the call accepts. */
  fields?: readonly FieldOf<C>[] | undefined;
  /** A list of which only the changed rows are sent: the call keeps the omitted ones. */
  changedRowsOf?: FieldOf<C> | undefined;
  /** Fixed values sent along with the fields. */
  fixed?: Partial<BodyOf<C>> | undefined;
  /** The existing resource: fills the form, and its version is the one to change. */
  current?: Resource | undefined;
  /** Reload the resource after another operator has changed it. */
  reread?: (() => Promise<Resource | undefined>) | undefined;
  onDone?: ((outcome: Outcome<C>) => void) | undefined;
}

export interface ResourceFormState {
  facts: Fields;
  typed: TypedGroup;
  errors: Readonly<Record<string, string>>;
  set: (name: string, value: Typed) => void;
  submit: () => void;
  isPending: boolean;
  isDirty: boolean;
  /** The newer version saved by another operator, until the conflict is resolved. */
  theirs: Resource | null;
  keepMine: () => void;
  takeTheirs: () => void;
  form: React.RefObject<HTMLDivElement | null>;
}

/**
 * The state of a form whose fields are those that `call` accepts.
 *
 * A PATCH sends the changed fields, and null for those that were emptied; all other verbs send all.
 */
export function useResourceForm<C extends Writing>(steps: ResourceFormSteps<C>): ResourceFormState {
  const { call, inPath, fixed, reread, onDone } = steps;
  const facts = shownFields(call, steps.fields, fixed);
  const [base, setBase] = useState<Resource>(steps.current ?? {});
  const [typed, setTyped] = useState(() => groupTyped(facts, base));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [theirs, setTheirs] = useState<Resource | null>(null);
  const { form, goToFirstError } = useFirstError(errors);
  const isDirty = isChanged(facts, typed, base);

  const begin = (resource: Resource) => {
    setBase(resource);
    setTyped(groupTyped(facts, resource));
    setErrors({});
    setTheirs(null);
  };
  /** Unchanged fields take the other operator's values; the rest is a conflict. */
  const meetTheirs = async (read: () => Promise<Resource | undefined>, refusal: Refusal) => {
    const found = await read().catch(() => undefined);
    if (found === undefined) {
      showFailure(refusal);
      return;
    }
    setTyped((mine) => withOthers(facts, mine, base, found));
    setTheirs(found);
  };
  const save = useWriteCall(call, {
    onDone: (outcome) => {
      // What is only proposed is not in force: the form shows what is.
      const done = isRecord(outcome.data) && "version" in outcome.data ? outcome.data : typed;
      begin(outcome.isProposed ? base : done);
      onDone?.(outcome);
    },
    onFailure: (error) => {
      if (!(error instanceof Refusal)) {
        return false;
      }
      if (error.code === "stale" && reread !== undefined) {
        void meetTheirs(reread, error);
        return true;
      }
      const refused = errorsOfShown(facts, error.fields);
      setErrors(refused);
      goToFirstError();
      return Object.keys(refused).length > 0;
    },
  });
  // A newer version arrived through another request, such as an upload beside the form.
  const newer = isNewer(steps.current, base) ? steps.current : undefined;
  if (newer !== undefined && theirs === null && !save.isPending) {
    if (!isDirty) {
      begin(newer);
    } else if (!isChanged(facts, groupTyped(facts, newer), base)) {
      setBase(newer);
    }
  }
  const submit = () => {
    const wrong = groupErrors(facts, typed);
    setErrors(wrong);
    goToFirstError();
    if (Object.keys(wrong).length === 0) {
      const content = withChangedRows(
        steps.changedRowsOf,
        contentOf(call, facts, typed, base),
        formWire(facts, groupTyped(facts, base)),
      );
      const body = { ...content, ...fixed } as Partial<BodyOf<C>>;
      save.send({ inPath, body });
    }
  };
  return {
    facts,
    typed,
    errors,
    set: (name, value) => {
      setTyped((before) => ({ ...before, [name]: value }));
      setErrors(({ [name]: _cleared, ...others }) => others);
    },
    submit,
    isPending: save.isPending,
    isDirty,
    theirs,
    keepMine: () => {
      setBase(theirs ?? base);
      setTheirs(null);
    },
    takeTheirs: () => begin(theirs ?? base),
    form,
  };
}

/** The visible fields: those named, or all but the version and the fixed ones. */
function shownFields(call: Call, names: readonly string[] | undefined, fixed: object = {}): Fields {
  const all = factsOf(call).body ?? {};
  const shown = names ?? Object.keys(all).filter((name) => name !== "version" && !(name in fixed));
  const pairs = shown.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]));
  return Object.fromEntries(pairs);
}

/** The server's errors by visible field; an error in a nested field names the part. */
function errorsOfShown(facts: Fields, serverErrors: Readonly<Record<string, string>>) {
  const errors: Record<string, string> = {};
  for (const [name, sentence] of Object.entries(serverErrors)) {
    const [field = "", ...parts] = name.split(".");
    if (field in facts) {
      const where = parts.map((part) =>
        /^\d+$/.test(part) ? `${Number(part) + 1}.` : labelOf(part),
      );
      errors[field] ??= where.length === 0 ? sentence : `${where.join(" ")}: ${sentence}`;
    }
  }
  return errors;
}

function contentOf(call: Call, facts: Fields, typed: TypedGroup, base: Resource): Resource {
  const sent = formWire(facts, typed);
  const version = "version" in (factsOf(call).body ?? {}) ? { version: base["version"] } : {};
  if (splitCall(call)[0] !== "PATCH") {
    return { ...sent, ...version };
  }
  const before = formWire(facts, groupTyped(facts, base));
  const changed = Object.keys(facts).filter((name) => !isSame(sent[name], before[name]));
  const pairs = changed.map((name) => [name, sent[name] ?? null]);
  return { ...Object.fromEntries(pairs), ...version };
}

/** The content, of whose list `name` the unchanged rows are left out; without changes, none is. */
function withChangedRows(name: string | undefined, sent: Resource, before: Resource): Resource {
  const [rows, known] = name === undefined ? [] : [sent[name], before[name]];
  if (name === undefined || !Array.isArray(rows) || !Array.isArray(known)) {
    return sent;
  }
  const changed = rows.filter((row) => !known.some((each) => isSame(row, each)));
  return changed.length === 0 ? sent : { ...sent, [name]: changed };
}

/** The typed values; unchanged fields take the other operator's values. */
function withOthers(
  facts: Fields,
  typed: TypedGroup,
  base: Resource,
  theirs: Resource,
): TypedGroup {
  const [before, there] = [groupTyped(facts, base), groupTyped(facts, theirs)];
  const untouched = Object.keys(facts).filter((name) => isSame(typed[name], before[name]));
  return { ...typed, ...Object.fromEntries(untouched.map((name) => [name, there[name] ?? ""])) };
}

function isChanged(facts: Fields, typed: TypedGroup, base: Resource): boolean {
  const before = groupTyped(facts, base);
  return Object.keys(facts).some(
    (name) => typed[name] instanceof File || !isSame(typed[name], before[name]),
  );
}

function isNewer(one: Resource | undefined, other: Resource): boolean {
  return Number(one?.["version"]) > Number(other["version"]);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Focus the first invalid field once its error is rendered. */
export function useFirstError(errors: object) {
  const form = useRef<HTMLDivElement>(null);
  const isDue = useRef(false);
  useEffect(() => {
    if (isDue.current && Object.keys(errors).length > 0) {
      isDue.current = false;
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [errors]);
  return {
    form,
    goToFirstError: () => {
      isDue.current = true;
    },
  };
}
