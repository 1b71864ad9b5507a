import { Button } from "@/components/button";
import { Panel } from "@/components/panel";
import { counted } from "@/lib/format/counts";
import type { ResponseOf } from "~/api/calls";
import { Facts } from "~/parts/facts";
import { FileButton } from "~/parts/file-button";
import { ImportProblems } from "~/parts/import-problems";

type Review = ResponseOf<"POST /api/v1/admin/questions/imports">;

interface ImportReviewProps {
  review: Review;
  isApplying: boolean;
  /** Import it; null once the question bank has changed. */
  onApply: (() => void) | null;
}

/** The preview of an import, and the button that confirms it. */
export function ImportReview({ review, isApplying, onApply }: ImportReviewProps) {
  const { problems, warnings, bad } = review;
  const isGood = bad === 0 && problems.length === 0;
  return (
    <Panel title="Dry run">
      <Facts
        facts={{
          Rows: review.rows,
          New: review.new,
          Changed: review.changed,
          "The same": review.same,
          "With problems": bad,
        }}
      />
      <div className="buttons">
        {isGood ? (
          <Button disabled={onApply === null} busy={isApplying} onClick={() => onApply?.()}>
            Apply
          </Button>
        ) : (
          <FileButton
            call="GET /api/v1/admin/questions/imports/{import_id}/problems.csv"
            inPath={{ import_id: review.id }}
            text="Download the bad rows"
            name="problems"
          />
        )}
      </div>
      {isGood ? null : (
        <p>
          {counted(bad, "row")} cannot be imported, so nothing is. Mend the file and choose it
          again.
        </p>
      )}
      <ImportProblems title="Problems" rows={problems} />
      <ImportProblems title="Warnings" rows={warnings} />
    </Panel>
  );
}
