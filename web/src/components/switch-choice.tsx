import "@/components/switch-choice.css";
import { type ReactNode, useId } from "react";

interface SwitchChoiceProps {
  title: string;
  note: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch with an explanation. */
export function SwitchChoice({ title, note, checked, onChange }: SwitchChoiceProps) {
  const id = useId();
  return (
    <div className="switch-choice">
      <div>
        <h3>
          <label htmlFor={id}>{title}</label>
        </h3>
        <p id={`${id}-note`} className="small muted">
          {note}
        </p>
      </div>
      <input
        id={id}
        className="switch"
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  );
}
