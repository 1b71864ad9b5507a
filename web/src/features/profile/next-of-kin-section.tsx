import { Panel } from "@/components/panel";
import { TextField } from "@/components/text-field";
import type { Bind } from "@/features/profile/personal-section";

/** The contact for when the member cannot be reached. */
export function NextOfKinSection({ bind }: { bind: Bind }) {
  return (
    <Panel title="Next Of Kins Information">
      <p className="small muted">Someone we can contact when we cannot reach you.</p>
      <div className="form">
        <div className="form-pair">
          <TextField label="Name" autoComplete="off" {...bind("nextOfKinsName")} />
          <TextField
            label="Phone number"
            type="tel"
            autoComplete="off"
            {...bind("nextOfKinsPhoneNumber")}
          />
        </div>
        <TextField
          label="Address"
          autoComplete="off"
          placeholder="House, street, town, state"
          {...bind("nextOfKinsAddress")}
        />
      </div>
    </Panel>
  );
}
