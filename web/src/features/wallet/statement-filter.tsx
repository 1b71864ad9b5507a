import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/button";
import { Field } from "@/components/field";
import { SelectBox } from "@/components/select-box";
import { TextField } from "@/components/text-field";
import { downloadStatement } from "@/features/wallet/api";
import { KINDS, type MovementKind, type StatementSearch } from "@/features/wallet/statement-search";
import { saveAsFile } from "@/lib/device/save-as-file";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";

interface StatementFilterProps {
  search: StatementSearch;
  /** A filter is set: the fields are open from the start. */
  isNarrowed: boolean;
  onChange: (part: Partial<StatementSearch>) => void;
}

/** Filters transactions by days and kind, and downloads them as a file; folded until it is used. */
export function StatementFilter({ search, isNarrowed, onChange }: StatementFilterProps) {
  const { id } = useMember();
  const download = useMutation({
    mutationFn: () => downloadStatement(id, search),
    onSuccess: (file) => saveAsFile(file, "statement.csv"),
    onError: showFailure,
  });
  const isWrongWayRound = search.from !== "" && search.to !== "" && search.from > search.to;
  const [wasNarrowed] = useState(isNarrowed);
  return (
    <details className="statement-tools" open={wasNarrowed}>
      <summary>Filter and download</summary>
      <div className="statement-filter">
        <TextField
          label="From"
          type="date"
          name="from"
          value={search.from}
          max={search.to || undefined}
          error={isWrongWayRound ? "The first day must not be after the last one." : undefined}
          onChange={(from) => onChange({ from })}
        />
        <TextField
          label="To"
          type="date"
          name="to"
          value={search.to}
          min={search.from || undefined}
          onChange={(to) => onChange({ to })}
        />
        <Field label="Kind">
          {(control) => (
            <SelectBox
              control={control}
              name="kind"
              value={search.kind}
              onChange={(kind) => onChange({ kind: kind as MovementKind | "" })}
            >
              <option value="">All transactions</option>
              {KINDS.map(({ kind, text }) => (
                <option key={kind} value={kind}>
                  {text}
                </option>
              ))}
            </SelectBox>
          )}
        </Field>
        <Button
          variant="secondary"
          icon={<Download aria-hidden="true" />}
          busy={download.isPending}
          onClick={() => download.mutate()}
        >
          Download CSV
        </Button>
      </div>
    </details>
  );
}
