import { useState } from "react";
import { Segments } from "@/components/segments";
import { formatNaira } from "@/lib/money";
import type { Member } from "~/areas/members/member";
import { wireOf } from "~/lib/form-values";
import { FormField, type FormFieldProps } from "~/parts/form-field";
import { memberName } from "~/parts/member-link";

const MINUS = "-";
const WAYS = [
  { value: "add", text: "Add" },
  { value: "take", text: "Take away" },
] as const;

type Way = (typeof WAYS)[number]["value"];

interface AdjustmentFieldProps {
  field: FormFieldProps;
  member: Member;
  /** The wallet's balance in naira. */
  balance: number;
}

/**
 * The direction and amount of an adjustment: a phone's number pad may have no minus.
 *
 * The field's value is the signed amount. A sentence describes the effect.
 */
export function AdjustmentField({ field, member, balance }: AdjustmentFieldProps) {
  const value = String(field.value ?? "");
  const [way, setWay] = useState<Way>(value.startsWith(MINUS) ? "take" : "add");
  const typed = value.replace(MINUS, "");
  const set = (chosen: Way, text: string) => {
    const amount = text.replaceAll(MINUS, "");
    setWay(chosen);
    field.onChange(chosen === "take" && amount !== "" ? MINUS + amount : amount);
  };
  return (
    <div className="form">
      <Segments
        label="Add or take away"
        options={[...WAYS]}
        value={way}
        onChange={(chosen) => set(chosen, typed)}
      />
      <FormField {...field} value={typed} onChange={(text) => set(way, String(text ?? ""))} />
      <p role="status">
        {whatHappens(wireOf(field.facts, field.value), memberName(member), balance)}
      </p>
    </div>
  );
}

function whatHappens(amount: unknown, name: string, balance: number): string | null {
  if (typeof amount !== "number" || Number.isNaN(amount) || amount === 0) {
    return null;
  }
  const sum = formatNaira(Math.abs(amount));
  const after = balance + amount;
  if (after < 0) {
    return `${name} has ${formatNaira(balance)}: ${sum} cannot be taken away.`;
  }
  const move = amount > 0 ? `${sum} goes to` : `${sum} is taken from`;
  return `${move} the wallet of ${name}, which then holds ${formatNaira(after)}.`;
}
