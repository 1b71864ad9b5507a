import "@/components/stepper.css";
import { Minus, Plus } from "lucide-react";

interface StepperProps {
  /** What is counted, such as "Club Scarf". */
  label: string;
  value: number;
  most: number;
  onChange: (value: number) => void;
}

/** A quantity between 1 and `most`, with a button on each side. */
export function Stepper({ label, value, most, onChange }: StepperProps) {
  return (
    <fieldset className="stepper">
      <legend className="visually-hidden">Quantity of {label}</legend>
      <button
        type="button"
        aria-label={`One less: ${label}`}
        disabled={value <= 1}
        onClick={() => onChange(value - 1)}
      >
        <Minus aria-hidden="true" />
      </button>
      <output aria-live="polite">{value}</output>
      <button
        type="button"
        aria-label={`One more: ${label}`}
        disabled={value >= most}
        onClick={() => onChange(value + 1)}
      >
        <Plus aria-hidden="true" />
      </button>
    </fieldset>
  );
}
