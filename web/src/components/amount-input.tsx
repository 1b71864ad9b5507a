import "@/components/amount-input.css";
import { type ChangeEvent, useLayoutEffect, useRef } from "react";
import type { ControlProps } from "@/components/field";
import { formatWhileTyping } from "@/lib/format/money";

interface AmountInputProps {
  control: ControlProps;
  /** The amount as typed, with its commas. */
  value: string;
  onChange: (value: string) => void;
}

/** A naira amount: digits and commas only, thousand separators while typing, the caret kept. */
export function AmountInput({ control, value, onChange }: AmountInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const digitsBeforeCaret = useRef<number | null>(null);

  useLayoutEffect(() => {
    if (digitsBeforeCaret.current !== null && input.current?.value === value) {
      const caret = caretAfter(value, digitsBeforeCaret.current);
      input.current.setSelectionRange(caret, caret);
      digitsBeforeCaret.current = null;
    }
  }, [value]);

  const onInput = (event: ChangeEvent<HTMLInputElement>) => {
    const { value: typed, selectionStart } = event.target;
    digitsBeforeCaret.current = typed
      .slice(0, selectionStart ?? typed.length)
      .replace(/\D/g, "").length;
    onChange(formatWhileTyping(typed));
  };

  return (
    <div className="amount-input">
      <span aria-hidden="true">₦</span>
      <input
        {...control}
        ref={input}
        className="input"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder="5,000"
        value={value}
        onChange={onInput}
      />
    </div>
  );
}

function caretAfter(text: string, digits: number): number {
  let left = digits;
  for (const [index, letter] of Array.from(text).entries()) {
    if (left === 0) {
      return index;
    }
    left -= letter === "," ? 0 : 1;
  }
  return text.length;
}
