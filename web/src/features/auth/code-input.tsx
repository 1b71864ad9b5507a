import type { Ref } from "react";
import type { ControlProps } from "@/components/field";
import { CODE_LENGTH, codeFromTyping } from "@/features/auth/rules";

interface CodeInputProps {
  inputRef?: Ref<HTMLInputElement>;
  control?: ControlProps;
  label?: string;
  value: string;
  onChange: (code: string) => void;
}

/** One input for a code of six; a code pasted with spaces fits, so there is no maxlength. */
export function CodeInput({ inputRef, control, label, value, onChange }: CodeInputProps) {
  return (
    <input
      {...control}
      ref={inputRef}
      className="input code-input"
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      aria-label={label}
      placeholder={`Enter ${CODE_LENGTH} code here`}
      value={value}
      onChange={(event) => onChange(codeFromTyping(event.target.value))}
    />
  );
}
