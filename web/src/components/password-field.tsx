import { useState } from "react";
import { EyeIcon } from "@/components/icons";
import { TextField, type TextFieldProps } from "@/components/text-field";

type PasswordFieldProps = Omit<TextFieldProps, "type" | "action">;

/** A password input with a show/hide toggle and a hint while caps lock is on. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  return (
    <TextField
      {...props}
      type={shown ? "text" : "password"}
      hint={capsLock ? "Caps lock is on" : props.hint}
      autoCapitalize="none"
      spellCheck={false}
      onKeyUp={(event) => setCapsLock(event.getModifierState("CapsLock"))}
      action={
        <button
          type="button"
          className="input-action"
          aria-pressed={shown}
          aria-label={`Show ${props.label.toLowerCase()}`}
          onClick={() => setShown(!shown)}
        >
          <EyeIcon struck={shown} />
        </button>
      }
    />
  );
}
