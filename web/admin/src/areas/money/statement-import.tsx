import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import { CheckboxField } from "@/components/checkbox-field";
import { Field } from "@/components/field";
import { Panel } from "@/components/panel";
import { counted } from "@/lib/format/counts";
import { Refusal } from "@/lib/live/failures";
import type { ResponseOf } from "~/api/calls";
import { useFirstError } from "~/api/use-resource-form";
import { useWriteCall } from "~/api/use-write-call";
import { useFocusHeir } from "~/lib/use-focus-heir";
import { labelOf } from "~/lib/words";
import { Facts } from "~/parts/facts";
import { ImportProblems } from "~/parts/import-problems";

const IMPORT = "POST /api/v1/admin/bank-statements";
const COLUMNS = ["date", "amount", "reference", "narration"] as const;
const NO_NAMES = { date: "", amount: "", reference: "", narration: "" };

type Review = ResponseOf<typeof IMPORT>;

/** A bank statement: a dry run first, then imported as a whole or not at all. */
export function StatementImport() {
  const [file, setFile] = useState<File | null>(null);
  const [mapping, setMapping] = useState<Mapping | null>(null);
  const [review, setReview] = useState<Review | null>(null);
  const [imported, setImported] = useState<Review | null>(null);
  const [stale, setStale] = useState<string | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { form, goToFirstError } = useFirstError(errors);
  const begin = () => {
    setReview(null);
    setImported(null);
    setStale(null);
  };
  const clear = () => {
    begin();
    setErrors({});
  };
  const { send, isPending } = useWriteCall(IMPORT, {
    onDone: (outcome) => {
      clear();
      if (!outcome.isProposed) {
        (outcome.data.applied ? setImported : setReview)(outcome.data);
      }
    },
    onFailure: (error) => {
      if (!(error instanceof Refusal)) {
        return false;
      }
      if (error.code === "stale") {
        setStale(error.message);
        return true;
      }
      setErrors(error.fields);
      goToFirstError();
      return Object.keys(error.fields).some((name) => /^(file$|mapping(\.|$))/.test(name));
    },
  });
  const isNamed = mapping === null || COLUMNS.every((column) => mapping[column].trim() !== "");
  const isReady = file !== null && isNamed;
  const sendFile = (digest?: string) => {
    if (file !== null) {
      const named = mapping === null ? {} : { mapping: JSON.stringify(mapping) };
      const agreed = digest === undefined ? {} : { digest };
      send({ body: { file, ...named, ...agreed } });
    }
  };
  return (
    <>
      <Panel title="Import a bank statement">
        <div ref={form} className="resource-form">
          <Field
            label="CSV file"
            error={errors["file"]}
            hint="At most 2 MB and 10,000 rows. Lines already imported are skipped."
          >
            {(control) => (
              <input
                {...control}
                className="input"
                type="file"
                accept=".csv,text/csv"
                onChange={({ currentTarget }) => {
                  setFile(currentTarget.files?.[0] ?? null);
                  clear();
                }}
              />
            )}
          </Field>
          <CheckboxField
            checked={mapping !== null}
            error={errors["mapping"]}
            onChange={(isOther) => {
              setMapping(isOther ? { ...NO_NAMES, monthFirst: false } : null);
              clear();
            }}
          >
            My columns have different names
          </CheckboxField>
          {mapping === null ? (
            <p className="muted small">
              Columns are read as in your last import. In a first import they are date, amount,
              reference and narration.
            </p>
          ) : (
            <MappingFields
              mapping={mapping}
              errors={errors}
              onChange={(changed, field) => {
                setMapping(changed);
                begin();
                setErrors(({ [nameOf(field)]: _cleared, ...others }) => others);
              }}
            />
          )}
          <div className="buttons">
            <Button disabled={!isReady} busy={isPending} onClick={() => sendFile()}>
              Dry run
            </Button>
          </div>
        </div>
      </Panel>
      {imported === null ? null : <Imported review={imported} />}
      {stale === null ? null : (
        <div className="notice notice-warn" role="alert">
          <p>{stale}</p>
          <DryRunAgain isPending={isPending} onClick={() => sendFile()} />
        </div>
      )}
      {review === null ? null : (
        <StatementReview
          review={review}
          isApplying={isPending}
          onApply={stale === null ? () => sendFile(review.digest) : null}
        />
      )}
    </>
  );
}

function DryRunAgain({ isPending, onClick }: { isPending: boolean; onClick: () => void }) {
  return (
    <Button ref={useFocusHeir()} variant="secondary" busy={isPending} onClick={onClick}>
      Dry run again
    </Button>
  );
}

interface Mapping extends Record<(typeof COLUMNS)[number], string> {
  monthFirst: boolean;
}

interface MappingFieldsProps {
  mapping: Mapping;
  /** The server's errors by field name. */
  errors: Readonly<Record<string, string>>;
  onChange: (mapping: Mapping, field: keyof Mapping) => void;
}

/** The server's name of a mapping field. */
const nameOf = (field: keyof Mapping) => `mapping.${field}`;

/** The bank's column names. */
function MappingFields({ mapping, errors, onChange }: MappingFieldsProps) {
  return (
    <fieldset className="form field-group">
      <legend>Names of the columns</legend>
      <p className="muted small">
        The amount is the column of credits. A bank without a column for references has them in the
        narration: name that one twice.
      </p>
      {COLUMNS.map((column) => (
        <Field key={column} label={labelOf(column)} error={errors[nameOf(column)]} required>
          {(control) => (
            <input
              {...control}
              className="input"
              autoComplete="off"
              maxLength={60}
              value={mapping[column]}
              onChange={({ currentTarget }) =>
                onChange({ ...mapping, [column]: currentTarget.value }, column)
              }
            />
          )}
        </Field>
      ))}
      <CheckboxField
        checked={mapping.monthFirst}
        onChange={(monthFirst) => onChange({ ...mapping, monthFirst }, "monthFirst")}
      >
        Dates begin with the month, such as 11/25/2026
      </CheckboxField>
    </fieldset>
  );
}

interface StatementReviewProps {
  review: Review;
  isApplying: boolean;
  /** Import it; null once another file was chosen. */
  onApply: (() => void) | null;
}

/** The preview of an import, and the button that confirms it. */
function StatementReview({ review, isApplying, onApply }: StatementReviewProps) {
  const { problems } = review;
  return (
    <Panel title="Dry run">
      <Facts
        facts={{
          Rows: review.rows,
          "New lines": review.new,
          "Known already": review.known,
          "Skipped, no money in": review.skipped,
          Matched: review.matched,
          Ambiguous: review.ambiguous,
        }}
      />
      {problems.length === 0 ? (
        <div className="buttons">
          <Button disabled={onApply === null} busy={isApplying} onClick={() => onApply?.()}>
            Apply
          </Button>
        </div>
      ) : (
        <p>Rows that cannot be read are below, so nothing is imported. Correct the file first.</p>
      )}
      <ImportProblems title="Problems" rows={problems} />
    </Panel>
  );
}

/** The imported rows; takes the focus, because the button that imported is gone. */
function Imported({ review }: { review: Review }) {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <p ref={notice} className="notice" role="status" tabIndex={-1}>
      {sentenceOf(review)}
    </p>
  );
}

function sentenceOf({ new: lines, matched, ambiguous }: Review): string {
  return `Imported: ${counted(lines, "new line")}, ${matched} matched, ${ambiguous} ambiguous.`;
}
