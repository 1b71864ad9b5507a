import "~/areas/delivery-fees/delivery-fees.css";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { ask } from "~/api/client";
import { useAnswer } from "~/api/queries";
import { groupErrors, isGroup, type TypedGroup } from "~/lib/form-values";
import { FormField, type FormFieldProps } from "~/parts/form-field";
import { ResourceForm } from "~/parts/resource-form";

const CALL = "GET /api/v1/admin/delivery-fees";

/** Delivery fees by state. */
export default function DeliveryFeesPage() {
  const fees = useAnswer(CALL);
  return (
    <Loaded query={fees} pending={<ScreenSkeleton />}>
      {(current) => (
        <Panel title="Delivery fees (₦)">
          <ResourceForm
            call="PUT /api/v1/admin/delivery-fees"
            current={current}
            reread={() => ask(CALL)}
            labels={{ fees: "Fee of each state" }}
            controls={{ fees: (field) => <FeeFields {...field} /> }}
          />
        </Panel>
      )}
    </Loaded>
  );
}

/** One field per state in a single form; Enter saves. */
function FeeFields({ label, facts, value, error, onChange }: FormFieldProps) {
  const { fee } = facts.of?.fields ?? {};
  if (fee === undefined) {
    return null;
  }
  const fees: TypedGroup[] = Array.isArray(value) ? value.filter(isGroup) : [];
  const set = (state: unknown, typed: TypedGroup["fee"] = "") =>
    onChange(fees.map((one) => (one["state"] === state ? { ...one, fee: typed } : one)));
  return (
    <fieldset className="state-fees">
      <legend className="visually-hidden">{label}</legend>
      {error === undefined ? null : <p className="field-error">{error}</p>}
      {fees.map((one) => (
        <FormField
          key={String(one["state"])}
          name={`fee of ${one["state"]}`}
          label={String(one["state"])}
          facts={fee}
          value={one["fee"] ?? null}
          error={error && groupErrors({ fee }, one)["fee"]}
          onChange={(typed) => set(one["state"], typed)}
        />
      ))}
    </fieldset>
  );
}
