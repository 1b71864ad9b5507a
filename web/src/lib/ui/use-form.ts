import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** An error per invalid field. */
export type FieldErrors<Values> = Partial<Record<keyof Values & string, string>>;

interface Form<Values> {
  values: Values;
  errors: FieldErrors<Values>;
  set: <Name extends keyof Values & string>(name: Name, value: Values[Name]) => void;
  /** Show the server's errors of fields. */
  refuse: (errors: Record<string, string>) => void;
  /** Whether every rule passes; else shows the errors and focuses the first of them. */
  check: () => boolean;
  /** The form's element; only `check` needs it, for a form that is not submitted. */
  ref: RefObject<HTMLFormElement | null>;
  /** A form's onSubmit: calls `onValid` only if every rule passes, else focuses the first error. */
  submit: (onValid: (values: Values) => void) => (event: FormEvent<HTMLFormElement>) => void;
}

/** A form's values and errors; `validate` is pure and returns an error per invalid field. */
export function useForm<Values extends object>(
  initial: Values,
  validate: (values: Values) => FieldErrors<Values>,
): Form<Values> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors<Values>>({});
  const form = useRef<HTMLFormElement | null>(null);
  const goToFirstError = useRef(false);

  useEffect(() => {
    const hasErrors = Object.keys(errors).length > 0;
    if (hasErrors && goToFirstError.current) {
      goToFirstError.current = false;
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [errors]);

  const set: Form<Values>["set"] = (name, value) => {
    setValues((current) => ({ ...current, [name]: value }));
    setErrors((current) => {
      const { [name]: _cleared, ...others } = current;
      return others as FieldErrors<Values>;
    });
  };

  const refuse = useCallback((refused: Record<string, string>) => {
    goToFirstError.current = true;
    setErrors(refused as FieldErrors<Values>);
  }, []);

  const check = () => {
    const found = validate(values);
    goToFirstError.current = true;
    setErrors(found);
    return Object.keys(found).length === 0;
  };

  const submit: Form<Values>["submit"] = (onValid) => (event) => {
    event.preventDefault();
    form.current = event.currentTarget;
    if (check()) {
      onValid(values);
    }
  };

  return { values, errors, set, refuse, check, ref: form, submit };
}
