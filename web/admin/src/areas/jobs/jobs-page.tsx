import type { RowOf } from "~/api/calls";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

type Job = RowOf<"GET /api/v1/admin/jobs">;

/** Jobs whose wire names say little. */
const NAMES: Record<string, string> = { prove: "Check ledger", "restore-proof": "Test restore" };

/** Scheduled jobs, their last runs, and a button that runs one now. */
export default function JobsPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/jobs"
      noun="job"
      empty="No jobs"
      rowKey={(job) => job.name}
      columns={[
        {
          title: "Job",
          value: nameOf,
          show: (job) => <span className="is-whole">{nameOf(job)}</span>,
        },
        { title: "State", as: "state", value: stateOf },
        { title: "Last run", as: "moment", value: (job) => job.lastRunAt },
        { title: "Last success", minor: true, as: "moment", value: (job) => job.succeededAt },
        { title: "Next due", minor: true, as: "moment", value: (job) => job.nextDueAt },
        { title: "Successes", minor: true, as: "number", value: (job) => job.successes },
        { title: "Failures", as: "number", value: (job) => job.failures },
      ]}
      actions={({ name, canRun }) =>
        canRun ? (
          <Action call="POST /api/v1/admin/jobs/{name}/run" inPath={{ name }} text="Run now" />
        ) : null
      }
    />
  );
}

function stateOf({ running, outcome }: Job): string {
  return running ? "running" : (outcome ?? "not run yet");
}

function nameOf({ name }: Job): string {
  return NAMES[name] ?? labelOf(name);
}
