import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { StatusBadge } from "@/components/status-badge";
import { counted } from "@/lib/format/counts";
import type { RowOf } from "~/api/calls";
import { useAnswer } from "~/api/queries";
import { Action } from "~/parts/action";
import { LastBackup } from "~/parts/last-backup";
import { RowsTable } from "~/parts/rows-table";

type Backup = RowOf<"GET /api/v1/admin/backups">;

const LAST = 14;
const BYTES_IN_MIB = 1_048_576;

/** The latest backups, their verification, and a button that takes one now. */
export default function BackupsPage() {
  const asked = useAnswer("GET /api/v1/admin/backups", { inQuery: { limit: LAST } });
  return (
    <Loaded query={asked} pending={<ScreenSkeleton />}>
      {({ rows }) => (
        <Panel
          title="Backups"
          action={<Action call="POST /api/v1/admin/backups" text="Back up now" variant="primary" />}
        >
          <p>
            Last good backup: <LastBackup at={rows.find(isGood)?.at ?? null} />
          </p>
          {rows.length === 0 ? (
            <p className="muted">No backups yet.</p>
          ) : (
            <RowsTable
              rows={rows}
              columns={[
                { title: "At", as: "moment", value: (backup) => backup.at },
                { title: "Name", value: (backup) => backup.name },
                { title: "Size", value: (backup) => `${mebibytes(backup.size)} MiB` },
                {
                  title: "Duration",
                  value: (backup) => counted(Math.ceil(backup.seconds), "second"),
                },
                {
                  title: "Outcome",
                  value: outcomeOf,
                  show: (backup) => <Outcome backup={backup} />,
                },
              ]}
            />
          )}
        </Panel>
      )}
    </Loaded>
  );
}

/** A failed backup, or one whose verification failed, cannot be relied on. */
function isGood({ error }: Backup): boolean {
  return error === null;
}

function outcomeOf({ error, proven }: Backup): string {
  if (error !== null) {
    return error;
  }
  return proven ? "Test restore passed" : "Not test-restored yet";
}

function Outcome({ backup }: { backup: Backup }) {
  const { error, proven } = backup;
  if (error === null) {
    return <StatusBadge tone={proven ? "success" : "info"} text={outcomeOf(backup)} />;
  }
  return (
    <>
      <StatusBadge tone="error" text="Failed" />
      <p className="small">{error}</p>
    </>
  );
}

function mebibytes(bytes: number): string {
  return (bytes / BYTES_IN_MIB).toFixed(1);
}
