import "~/areas/questions/questions.css";
import { useState } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/button";
import { Field } from "@/components/field";
import { Panel } from "@/components/panel";
import { Refusal } from "@/lib/live/failures";
import type { ResponseOf } from "~/api/calls";
import { useWriteCall } from "~/api/use-write-call";
import { ImportReview } from "~/areas/questions/import-review";

const DRY_RUN = "POST /api/v1/admin/questions/imports";
const APPLY = "POST /api/v1/admin/questions/imports/{import_id}/apply";

/** The dry run's result; null for a file that was not tried or is imported. */
type Review = ResponseOf<typeof DRY_RUN>;

/** A question file: a dry run first, then imported as a whole or not at all. */
export default function ImportPage() {
  const [file, setFile] = useState<File | null>(null);
  const [review, setReview] = useState<Review | null>(null);
  const [stale, setStale] = useState<string | null>(null);
  const [imported, setImported] = useState<ResponseOf<typeof APPLY> | null>(null);
  const begin = (chosen: Review | null) => {
    setReview(chosen);
    setStale(null);
    setImported(null);
  };
  const tried = useWriteCall(DRY_RUN, {
    onDone: (outcome) => begin(outcome.isProposed ? null : outcome.data),
  });
  const applied = useWriteCall(APPLY, {
    onDone: (outcome) => {
      begin(null);
      setImported(outcome.isProposed ? null : outcome.data);
    },
    onFailure: (error) => {
      const isStale = error instanceof Refusal && error.code === "stale";
      if (isStale) {
        setStale(error.message);
      }
      return isStale;
    },
  });
  const dryRun = () => {
    if (file !== null) {
      tried.send({ body: { file } });
    }
  };
  return (
    <div className="screen">
      <Panel title="Import CSV" action={<Link to="/questions">All questions</Link>}>
        <div className="import-form">
          <Field
            label="CSV file"
            hint="At most 2 MB. Columns: slug, kind, club, topic, question, right, wrong_1, wrong_2, wrong_3, explanation, source, difficulty. Slugs that are known are corrected."
          >
            {(control) => (
              <input
                {...control}
                className="input"
                type="file"
                accept=".csv,text/csv"
                onChange={({ currentTarget }) => {
                  setFile(currentTarget.files?.[0] ?? null);
                  begin(null);
                }}
              />
            )}
          </Field>
          <div className="buttons">
            <Button disabled={file === null} busy={tried.isPending} onClick={dryRun}>
              Dry run
            </Button>
          </div>
        </div>
      </Panel>
      {imported === null ? null : (
        <p className="notice" role="status">
          Imported: {imported.new} new, {imported.changed} changed, {imported.same} the same.
        </p>
      )}
      {stale === null ? null : (
        <div className="notice notice-warn" role="alert">
          <p>{stale}</p>
          <Button variant="secondary" busy={tried.isPending} onClick={dryRun}>
            Dry run again
          </Button>
        </div>
      )}
      {review === null ? null : (
        <ImportReview
          review={review}
          isApplying={applied.isPending}
          onApply={
            stale === null
              ? () =>
                  applied.send({
                    inPath: { import_id: review.id },
                    body: { digest: review.digest },
                  })
              : null
          }
        />
      )}
    </div>
  );
}
