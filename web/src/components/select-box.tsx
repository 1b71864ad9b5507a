import "@/components/select-box.css";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import type { ControlProps } from "@/components/field";

interface SelectBoxProps {
  /** The attributes that the field passes to its control. */
  control: ControlProps;
  name: string;
  value: string;
  autoComplete?: string;
  required?: boolean;
  onChange: (value: string) => void;
  children: ReactNode;
}

/** The native select, styled like the other fields. */
export function SelectBox({ control, required, onChange, children, ...box }: SelectBoxProps) {
  return (
    <div className="select-row">
      <select
        {...control}
        {...box}
        aria-required={required || undefined}
        className="input"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {children}
      </select>
      <ChevronDown aria-hidden="true" />
    </div>
  );
}
