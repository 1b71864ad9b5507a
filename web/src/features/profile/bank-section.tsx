import { useQuery } from "@tanstack/react-query";
import { Check, LockKeyhole } from "lucide-react";
import { Button } from "@/components/button";
import { Field } from "@/components/field";
import { Panel } from "@/components/panel";
import { SelectBox } from "@/components/select-box";
import { TextField } from "@/components/text-field";
import { banksQuery } from "@/features/profile/api";
import type { Bind } from "@/features/profile/personal-section";
import { ACCOUNT_DIGITS, accountError, accountFromTyping } from "@/features/profile/rules";

/** The member's bank account. */
export function BankSection({ bind }: { bind: Bind }) {
  return (
    <Panel title="Settlement Bank Information">
      <p className="small muted profile-sealed">
        <LockKeyhole aria-hidden="true" />
        The account number is stored encrypted.
      </p>
      <div className="form">
        <div className="form-pair">
          <BankField {...bind("bankCode")} />
          <AccountNumberField {...bind("accountNumber")} />
        </div>
        <TextField label="Account Holder's Name" autoComplete="off" {...bind("bankName")} />
      </div>
    </Panel>
  );
}

function BankField({ name, value, error, onChange }: ReturnType<Bind>) {
  const banks = useQuery(banksQuery);
  const known = banks.data ?? [];
  const isListed = value === "" || known.some((bank) => bank.code === value);
  return (
    <div className="profile-bank">
      <Field label="Bank" error={error}>
        {(control) => (
          <SelectBox control={control} name={name} value={value} onChange={onChange}>
            <option value="">{banks.isPending ? "Fetching banks..." : "Choose your bank"}</option>
            {isListed ? null : <option value={value}>Your saved bank</option>}
            {known.map((bank) => (
              <option key={bank.code} value={bank.code}>
                {bank.name}
              </option>
            ))}
          </SelectBox>
        )}
      </Field>
      {banks.isError ? (
        <Button variant="quiet" busy={banks.isFetching} onClick={() => void banks.refetch()}>
          Fetch the banks again
        </Button>
      ) : null}
    </div>
  );
}

function AccountNumberField({ value, onChange, ...rest }: ReturnType<Bind>) {
  return (
    <TextField
      label="Account number"
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={(typed) => onChange(accountFromTyping(typed))}
      hint={<DigitsNote value={value} />}
      {...rest}
    />
  );
}

/** The number of digits typed, of ten. */
function DigitsNote({ value }: { value: string }) {
  if (value === "") {
    return "Ten digits";
  }
  if (accountError(value) !== undefined) {
    return `${value.length} of ${ACCOUNT_DIGITS} digits`;
  }
  return (
    <span className="profile-fits">
      <Check aria-hidden="true" />
      {ACCOUNT_DIGITS} digits
    </span>
  );
}
