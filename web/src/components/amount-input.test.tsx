import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { AmountInput } from "@/components/amount-input";
import { Field } from "@/components/field";

function Amount() {
  const [value, setValue] = useState("");
  return (
    <Field label="Amount">
      {(control) => <AmountInput control={control} value={value} onChange={setValue} />}
    </Field>
  );
}

test("digits are grouped while typing and everything else is dropped", async () => {
  render(<Amount />);
  const input = screen.getByLabelText("Amount");

  await userEvent.type(input, "12k34567");

  expect(input).toHaveValue("1,234,567");
  expect(input).toHaveAttribute("placeholder", "5,000");
});

test("the caret stays behind the digit that was typed", () => {
  render(<Amount />);
  const input = screen.getByLabelText<HTMLInputElement>("Amount");
  fireEvent.change(input, { target: { value: "1234", selectionStart: 4 } });

  input.setSelectionRange(2, 2);
  fireEvent.change(input, { target: { value: "19,234", selectionStart: 2, selectionEnd: 2 } });

  expect(input).toHaveValue("19,234");
  expect(input.selectionStart).toBe(2);
});
