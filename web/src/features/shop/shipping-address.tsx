import { BILLING_MAX_LENGTHS } from "@/api/max-lengths.gen";
import type { BillingForm, SavedAddress, StateFee } from "@/api/wire";
import { Button } from "@/components/button";
import { CheckboxField } from "@/components/checkbox-field";
import { Field } from "@/components/field";
import { Panel } from "@/components/panel";
import { SelectBox } from "@/components/select-box";
import { TextField } from "@/components/text-field";
import { useForgetAddress } from "@/features/shop/use-forget-address";
import { formatNairaShort } from "@/lib/format/money";
import type { FieldErrors } from "@/lib/ui/use-form";

interface ShippingAddressProps {
  billing: BillingForm;
  errors: FieldErrors<BillingForm>;
  states: StateFee[];
  stateRequired: boolean;
  saved: SavedAddress | null;
  keeps: boolean;
  onChange: (name: keyof BillingForm, value: string) => void;
  onUseSaved: (saved: SavedAddress) => void;
  onKeep: (keeps: boolean) => void;
}

/** Names, address, state and phone; names and phone are prefilled from the member. */
export function ShippingAddress(props: ShippingAddressProps) {
  const { billing, errors, onChange, saved, keeps, onKeep, onUseSaved } = props;
  const bind = (name: Exclude<keyof BillingForm, "state">) => ({
    name,
    required: true,
    maxLength: BILLING_MAX_LENGTHS[name],
    value: billing[name],
    error: errors[name],
    onChange: (value: string) => onChange(name, value),
  });
  return (
    <Panel title="Shipping Address" className="checkout-part">
      <div className="form">
        {saved === null ? null : <SavedAddressTools onUse={() => onUseSaved(saved)} />}
        <div className="form-pair">
          <TextField label="First name" autoComplete="given-name" {...bind("firstName")} />
          <TextField label="Last name" autoComplete="family-name" {...bind("lastName")} />
        </div>
        <TextField
          label="Address"
          autoComplete="street-address"
          placeholder="House, street, town"
          {...bind("address")}
        />
        <div className="form-pair">
          <State {...props} />
          <TextField label="Phone" type="tel" autoComplete="tel" {...bind("phone")} />
        </div>
        <CheckboxField checked={keeps} onChange={onKeep}>
          Save this address
        </CheckboxField>
      </div>
    </Panel>
  );
}

/** The saved address: used, or deleted. */
function SavedAddressTools({ onUse }: { onUse: () => void }) {
  const forgetting = useForgetAddress();
  return (
    <span className="saved-address">
      <Button variant="secondary" onClick={onUse}>
        Use saved address
      </Button>
      <Button variant="quiet" busy={forgetting.isPending} onClick={() => forgetting.mutate()}>
        Delete it
      </Button>
    </span>
  );
}

function State({ billing, errors, states, stateRequired, onChange }: ShippingAddressProps) {
  return (
    <Field label="State" required={stateRequired} error={errors.state}>
      {(control) => (
        <SelectBox
          control={control}
          name="state"
          required={stateRequired}
          autoComplete="address-level1"
          value={billing.state}
          onChange={(value) => onChange("state", value)}
        >
          <option value="">{stateRequired ? "Choose" : "Not provided"}</option>
          {states.map(({ state, fee }) => (
            <option key={state} value={state}>
              {fee === 0 ? state : `${state} (${formatNairaShort(fee)})`}
            </option>
          ))}
        </SelectBox>
      )}
    </Field>
  );
}
