import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

/** What is done by the clock, how it went, and doing it now. */
export default function JobsPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/jobs"
      empty="No jobs"
      rowKey={(job) => job.name}
      columns={[
        { title: "Job", as: "word", value: (job) => job.name },
        { title: "Last went well", as: "moment", value: (job) => job.succeededAt },
        { title: "Successes", as: "number", value: (job) => job.successes },
        { title: "Failures", as: "number", value: (job) => job.failures },
      ]}
      actions={({ name }) => (
        <Action call="POST /api/v1/admin/jobs/{name}/run" inPath={{ name }} text="Run now" />
      )}
    />
  );
}
