import { Plus } from "lucide-react";
import { useState } from "react";
import { AmountInput } from "@/components/amount-input";
import { Button, type ButtonVariant } from "@/components/button";
import { CheckboxField } from "@/components/checkbox-field";
import { CopyButton } from "@/components/copy-button";
import { Field } from "@/components/field";
import { PasswordField } from "@/components/password-field";
import { ReceiptButton } from "@/components/receipt-button";
import { Segments } from "@/components/segments";
import { SelectBox } from "@/components/select-box";
import { Stepper } from "@/components/stepper";
import { SwitchChoice } from "@/components/switch-choice";
import { TextField } from "@/components/text-field";
import { ThemeSwitch } from "@/components/theme-switch";

const VARIANTS: ButtonVariant[] = ["primary", "secondary", "accent", "quiet", "danger"];

export function Buttons() {
  return (
    <>
      {VARIANTS.map((variant) => (
        <div key={variant} className="wallet-actions">
          <Button variant={variant}>{variant}</Button>
          <Button variant={variant} icon={<Plus aria-hidden="true" />}>
            With an icon
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
          <Button variant={variant} busy busyText="On its way">
            Busy
          </Button>
        </div>
      ))}
      <Button wide>Wide</Button>
      <CopyButton text="0123456789" label="Copy the account number" />
      <ReceiptButton of="an order" findPage={() => Promise.resolve("/kit/")} />
    </>
  );
}

export function Fields() {
  const [text, setText] = useState("");
  const [amount, setAmount] = useState("15,000");
  const [agreed, setAgreed] = useState(true);
  const error = "Please enter it.";
  const field = { value: text, onChange: setText };
  return (
    <>
      <TextField label="Empty" {...field} placeholder="What goes here" />
      <TextField label="Required, with a hint" {...field} required hint="As on your card" />
      <TextField label="Refused" {...field} error={error} />
      <TextField label="Disabled" {...field} disabled />
      <PasswordField label="Password" {...field} autoComplete="off" />
      <Field label="Amount">
        {(control) => <AmountInput control={control} value={amount} onChange={setAmount} />}
      </Field>
      <Field label="Choice" error={error}>
        {(control) => (
          <SelectBox control={control} name="choice" value={text} onChange={setText}>
            <option value="">Choose</option>
            <option value="a">One</option>
          </SelectBox>
        )}
      </Field>
      <SwitchChoice
        title="Low data"
        note="No autoplay, small pictures."
        checked={agreed}
        onChange={setAgreed}
      />
      <CheckboxField checked={agreed} onChange={setAgreed}>
        Agreed
      </CheckboxField>
      <CheckboxField checked={false} onChange={setAgreed} error={error}>
        Not agreed
      </CheckboxField>
    </>
  );
}

const SPANS = [
  { value: "day", text: "Day" },
  { value: "season", text: "Season" },
];

export function Choices() {
  const [span, setSpan] = useState("day");
  const [count, setCount] = useState(1);
  return (
    <>
      <Segments label="Span" options={SPANS} value={span} onChange={setSpan} />
      <Stepper label="Club Scarf" value={count} max={3} onChange={setCount} />
      <Stepper label="Last Scarf" value={1} max={1} onChange={setCount} />
      <ThemeSwitch />
    </>
  );
}
