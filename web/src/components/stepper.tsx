import "@/components/stepper.css";
import { Minus, Plus } from "lucide-react";

interface StepperProps {
  /** The counted item, such as "Club Scarf". */
  label: string;
  /** The quantity's label; "Quantity" by default. */
  counts?: string;
  value: number;
  /** 1 by default. */
  min?: number;
  max: number;
  onChange: (value: number) => void;
}

/** A number between `min` and `max`, with a button on each side. */
export function Stepper({
  label,
  counts = "Quantity",
  value,
  min = 1,
  max,
  onChange,
}: StepperProps) {
  return (
    <fieldset className="stepper">
      <legend className="visually-hidden">
        {counts} of {label}
      </legend>
      <button
        type="button"
        aria-label={`One less: ${label}`}
        disabled={value <= min}
        onClick={() => onChange(value - 1)}
      >
        <Minus aria-hidden="true" />
      </button>
      <output aria-live="polite">{value}</output>
      <button
        type="button"
        aria-label={`One more: ${label}`}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        <Plus aria-hidden="true" />
      </button>
    </fieldset>
  );
}
