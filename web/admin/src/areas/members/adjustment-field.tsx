import { useState } from "react";
import { Segments } from "@/components/segments";
import { formatNaira, plusNaira } from "@/lib/format/money";
import type { Member } from "~/areas/members/member";
import { wireOf } from "~/lib/form-values";
import { FormField, type FormFieldProps } from "~/parts/form-field";
import { memberName } from "~/parts/member-link";

const MINUS = "-";
/** Before a minus that was typed although money is to be added: no number, so it is not sent. */
const WRONG_WAY = "+";
const CHOOSE_TAKE = "Choose Deduct for a negative amount.";
const WAYS = [
  { value: "add", text: "Add" },
  { value: "take", text: "Deduct" },
] as const;

type Way = (typeof WAYS)[number]["value"];

interface AdjustmentFieldProps {
  field: FormFieldProps;
  member: Member;
  /** The wallet's balance and the member's debt, in naira. */
  balance: number;
  debt: number;
}

/**
 * The direction and amount of an adjustment: a phone's number pad may have no minus.
 *
 * The field's value is the signed amount. A sentence describes the effect.
 */
export function AdjustmentField({ field, member, balance, debt }: AdjustmentFieldProps) {
  const value = String(field.value ?? "");
  const [way, setWay] = useState<Way>(value.startsWith(MINUS) ? "take" : "add");
  const isWrongWay = value.startsWith(WRONG_WAY);
  const typed = isWrongWay ? value.slice(WRONG_WAY.length) : value.replace(MINUS, "");
  const set = (chosen: Way, text: string) => {
    setWay(chosen);
    field.onChange(chosen === "add" ? added(text) : taken(text));
  };
  return (
    <div className="form">
      <Segments
        label="Add or deduct"
        options={[...WAYS]}
        value={way}
        onChange={(chosen) => set(chosen, typed)}
      />
      <FormField
        {...field}
        error={isWrongWay ? CHOOSE_TAKE : field.error}
        value={typed}
        onChange={(text) => set(way, String(text ?? ""))}
      />
      <p role="status">
        {whatHappens(wireOf(field.facts, field.value), memberName(member), balance, debt)}
      </p>
    </div>
  );
}

const added = (text: string) => (text.includes(MINUS) ? WRONG_WAY + text : text);

function taken(text: string): string {
  const amount = text.replaceAll(MINUS, "");
  return amount === "" ? amount : MINUS + amount;
}

function whatHappens(amount: unknown, name: string, balance: number, debt: number): string | null {
  if (typeof amount !== "number" || Number.isNaN(amount) || amount === 0) {
    return null;
  }
  const sum = formatNaira(Math.abs(amount));
  const after = plusNaira(balance, amount);
  if (after < 0) {
    return `${name} has ${formatNaira(balance)}: ${sum} cannot be taken away.`;
  }
  if (amount > 0 && debt > 0) {
    return repayment(`${sum} goes to the wallet of ${name}`, after, debt);
  }
  const move = amount > 0 ? `${sum} goes to` : `${sum} is taken from`;
  return `${move} the wallet of ${name}, which then holds ${formatNaira(after)}.`;
}

/** Whatever comes into a wallet repays its debt first. */
function repayment(move: string, held: number, debt: number): string {
  const left = plusNaira(held, -debt);
  return left < 0
    ? `${move} and repays the debt, so the wallet then holds ${formatNaira(0)} and ${formatNaira(-left)} is still owed.`
    : `${move}. It repays the debt of ${formatNaira(debt)} first, so the wallet then holds ${formatNaira(left)} and nothing is owed.`;
}
