import type { Billing } from "@/api/wire";
import { Panel } from "@/components/panel";
import { TextField } from "@/components/text-field";
import { LONGEST } from "@/lib/limits";
import type { FieldErrors } from "@/lib/use-form";

interface ShippingAddressProps {
  billing: Billing;
  errors: FieldErrors<Billing>;
  onChange: (name: keyof Billing, value: string) => void;
}

/** Names, address and phone, all marked required; names and phone come from the member. */
export function ShippingAddress({ billing, errors, onChange }: ShippingAddressProps) {
  const bind = (name: keyof Billing) => ({
    name,
    required: true,
    maxLength: LONGEST.billing[name],
    value: billing[name],
    error: errors[name],
    onChange: (value: string) => onChange(name, value),
  });
  return (
    <Panel title="Shipping Address" className="checkout-part">
      <div className="form">
        <div className="form-pair">
          <TextField label="First name" autoComplete="given-name" {...bind("firstName")} />
          <TextField label="Last name" autoComplete="family-name" {...bind("lastName")} />
        </div>
        <TextField
          label="Address"
          autoComplete="street-address"
          placeholder="House, street, town, state"
          {...bind("address")}
        />
        <TextField label="Phone" type="tel" autoComplete="tel" {...bind("phone")} />
      </div>
    </Panel>
  );
}
