import type { ReactNode } from "react";
import { Button } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { useRows } from "~/api/queries";
import { Action } from "~/parts/action";
import { Timeline } from "~/parts/timeline";

const TEXT = "New note";
const WARNING = "Operators see notes. So does the member, in the export of their data.";

/** The notes of an order and those of a member look alike. */
type Notes = ReturnType<typeof useRows<"GET /api/v1/admin/orders/{order_id}/notes">>;

/** Nothing is written about a member who has left. */
interface NotesProps {
  id: string;
  hasLeft: boolean;
}

/** What operators wrote about an order. */
export function OrderNotes({ id, hasLeft }: NotesProps) {
  const inPath = { order_id: id };
  return (
    <NotesPanel query={useRows("GET /api/v1/admin/orders/{order_id}/notes", { inPath })}>
      {hasLeft ? null : (
        <Action
          call="POST /api/v1/admin/orders/{order_id}/notes"
          inPath={inPath}
          text={TEXT}
          note={WARNING}
        />
      )}
    </NotesPanel>
  );
}

/** What operators wrote about a member. */
export function MemberNotes({ id, hasLeft }: NotesProps) {
  const inPath = { user_id: id };
  return (
    <NotesPanel query={useRows("GET /api/v1/admin/members/{user_id}/notes", { inPath })}>
      {hasLeft ? null : (
        <Action
          call="POST /api/v1/admin/members/{user_id}/notes"
          inPath={inPath}
          text={TEXT}
          note={WARNING}
        />
      )}
    </NotesPanel>
  );
}

function NotesPanel({ query, children }: { query: Notes; children: ReactNode }) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <Panel title="Notes" action={children}>
      <Loaded query={query} pending={<Skeleton />}>
        {({ pages }) => {
          const notes = pages.flatMap(({ rows }) => rows);
          return notes.length === 0 ? (
            <p className="muted">No notes yet.</p>
          ) : (
            <Timeline
              entries={notes.map(({ id, at, operator, text }) => ({
                key: id,
                at,
                text: operator?.name,
                note: <span className="note-text">{text}</span>,
              }))}
            />
          );
        }}
      </Loaded>
      {hasNextPage ? (
        <Button variant="secondary" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </Panel>
  );
}
