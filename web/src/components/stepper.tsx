import "@/components/stepper.css";
import { Minus, Plus } from "lucide-react";

interface StepperProps {
  /** The counted item, such as "Club Scarf". */
  label: string;
  /** The quantity's label; "Quantity" by default. */
  counts?: string;
  value: number;
  /** 1 by default. */
  least?: number;
  most: number;
  onChange: (value: number) => void;
}

/** A number between `least` and `most`, with a button on each side. */
export function Stepper({
  label,
  counts = "Quantity",
  value,
  least = 1,
  most,
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
        disabled={value <= least}
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
