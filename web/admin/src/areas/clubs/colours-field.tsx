import type { FormFieldProps } from "~/parts/form-field";

const NAMES = ["First colour", "Second colour"];

/** A club's two colours as pickers; stored as lines of text, like any list. */
export function ColoursField({ label, value, error, onChange }: FormFieldProps) {
  const colours = String(value ?? "").split("\n");
  return (
    <fieldset className="form field-group">
      <legend>{label}</legend>
      <div className="colours">
        {NAMES.map((name, index) => (
          <label key={name} className="small">
            {name}
            <input
              type="color"
              value={(colours[index] ?? "").toLowerCase()}
              onChange={({ currentTarget }) =>
                onChange(
                  NAMES.map((_, other) =>
                    other === index ? currentTarget.value.toUpperCase() : colours[other],
                  ).join("\n"),
                )
              }
            />
          </label>
        ))}
      </div>
      {error === undefined ? null : <p className="field-error">{error}</p>}
    </fieldset>
  );
}
