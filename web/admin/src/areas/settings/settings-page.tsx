import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { ask } from "~/api/client";
import { useAnswer } from "~/api/queries";
import { ResourceForm } from "~/parts/resource-form";

const CALL = "GET /api/v1/admin/settings";

const LABELS = {
  transferAccount: "Account for bank transfers",
  stateRequired: "An order must name its state",
  quietFrom: "No mail at night, from",
  quietTo: "until",
  adjustmentLimit: "Largest credit by one person, in naira",
  adjustmentDayLimit: "Largest sum of credits by one person in a day, in naira",
  refundLimit: "Largest refund by one person, in naira",
  refundDayLimit: "Largest sum of refunds by one person in a day, in naira",
  confirmDayLimit: "Largest sum of bank transfers confirmed by one person in a day, in naira",
  giftLimit: "Most gifts of a plan by one person at once",
  transferUnitsLimit: "Most items in one member's unpaid orders",
  transferValueLimit: "Largest sum of one member's unpaid orders, in naira",
};

/** Settings that can be changed at run time. */
export default function SettingsPage() {
  const settings = useAnswer(CALL);
  return (
    <Loaded query={settings} pending={<ScreenSkeleton />}>
      {(current) => (
        <Panel title="Settings">
          <ResourceForm
            call="PUT /api/v1/admin/settings"
            current={{ ...current }}
            reread={async () => ({ ...(await ask(CALL)) })}
            labels={LABELS}
            hints={{
              quietFrom: "Lagos time, such as 22:00",
              quietTo: "Lagos time, such as 07:00",
              adjustmentLimit: "A higher limit needs a second person",
            }}
          />
        </Panel>
      )}
    </Loaded>
  );
}
