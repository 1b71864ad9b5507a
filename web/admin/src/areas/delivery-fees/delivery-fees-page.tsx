import "~/areas/delivery-fees/delivery-fees.css";
import { useState } from "react";
import { Button } from "@/components/button";
import { Field } from "@/components/field";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { SelectBox } from "@/components/select-box";
import { ask } from "~/api/client";
import { useAnswer } from "~/api/queries";
import { byZone } from "~/areas/delivery-fees/zones";
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
        <Panel title="Delivery fees (₦)" className="fees-panel">
          <p className="muted">
            What members pay for delivery to each state. 0 means free delivery.
          </p>
          <ResourceForm
            call="PUT /api/v1/admin/delivery-fees"
            current={current}
            reread={() => ask(CALL)}
            changedRowsOf="fees"
            labels={{ fees: "Fee per state" }}
            controls={{ fees: (field) => <FeeFields {...field} /> }}
          />
        </Panel>
      )}
    </Loaded>
  );
}

/** One field per state, by zone, in a single form; Enter saves. */
function FeeFields({ label, facts, value, error, onChange }: FormFieldProps) {
  const { fee } = facts.of?.fields ?? {};
  if (fee === undefined) {
    return null;
  }
  const { required: _every, ...shown } = fee;
  const fees: TypedGroup[] = Array.isArray(value) ? value.filter(isGroup) : [];
  const set = (isMeant: (state: string) => boolean, typed: TypedGroup["fee"] = "") =>
    onChange(fees.map((one) => (isMeant(stateOf(one)) ? { ...one, fee: typed } : one)));
  const zones = byZone(fees, stateOf);
  return (
    <fieldset className="state-fees">
      <legend className="visually-hidden">{label}</legend>
      {error === undefined ? null : <p className="field-error">{error}</p>}
      <SetSeveral
        zones={zones.map(({ zone, items }) => ({ zone, states: items.map(stateOf) }))}
        onSet={(states, typed) => set((state) => states.includes(state), typed)}
      />
      <div className="zones">
        {zones.map(({ zone, items }) => (
          <fieldset key={zone} className="zone">
            <legend>{zone}</legend>
            {items.map((one) => (
              <div key={stateOf(one)} className={isFree(one) ? "zone-fee is-free" : "zone-fee"}>
                <FormField
                  name={`fee of ${stateOf(one)}`}
                  label={stateOf(one)}
                  facts={shown}
                  value={one["fee"] ?? null}
                  hint={isFree(one) ? "Free" : undefined}
                  error={error && groupErrors({ fee }, one)["fee"]}
                  onChange={(typed) => set((state) => state === stateOf(one), typed)}
                />
              </div>
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}

const ALL = "";

interface SetSeveralProps {
  zones: readonly { zone: string; states: readonly string[] }[];
  onSet: (states: readonly string[], fee: string) => void;
}

/** Fills in one fee for a whole zone or for all states; Save stores them. */
function SetSeveral({ zones, onSet }: SetSeveralProps) {
  const [zone, setZone] = useState(ALL);
  const [fee, setFee] = useState("");
  const states = zones
    .filter((one) => zone === ALL || one.zone === zone)
    .flatMap((one) => one.states);
  const fill = () => {
    if (fee.trim() !== "") {
      onSet(states, fee);
    }
  };
  return (
    <div className="set-several">
      <Field label="States">
        {(control) => (
          <SelectBox control={control} name="zone" value={zone} onChange={setZone}>
            <option value={ALL}>All states</option>
            {zones.map((one) => (
              <option key={one.zone} value={one.zone}>
                {one.zone}
              </option>
            ))}
          </SelectBox>
        )}
      </Field>
      <Field label="Same fee">
        {(control) => (
          <input
            {...control}
            className="input"
            inputMode="decimal"
            autoComplete="off"
            value={fee}
            onChange={({ currentTarget }) => setFee(currentTarget.value)}
            onKeyDown={(event) => {
              // Enter fills in here; it would save the form.
              if (event.key === "Enter") {
                event.preventDefault();
                fill();
              }
            }}
          />
        )}
      </Field>
      <Button variant="secondary" onClick={fill}>
        Fill in
      </Button>
    </div>
  );
}

function stateOf(one: TypedGroup): string {
  return String(one["state"]);
}

function isFree({ fee }: TypedGroup): boolean {
  return typeof fee === "string" && fee.trim() !== "" && Number(fee) === 0;
}
