import "@/components/select-box.css";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import type { ControlProps } from "@/components/field";

interface SelectBoxProps {
  /** What the field around it gives its control. */
  control: ControlProps;
  name: string;
  value: string;
  autoComplete?: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

/** The browser's own list, in the look of the other fields. */
export function SelectBox({ control, onChange, children, ...box }: SelectBoxProps) {
  return (
    <div className="select-row">
      <select
        {...control}
        {...box}
        className="input"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {children}
      </select>
      <ChevronDown aria-hidden="true" />
    </div>
  );
}
