import "~/parts/bulk-bar.css";
import { useEffect, useRef } from "react";
import { Button } from "@/components/button";
import { formatCount } from "@/lib/format/counts";
import type { Writing } from "~/api/calls";
import type { BulkRequest, BulkRun } from "~/api/use-bulk";
import { countOf, type Noun } from "~/lib/nouns";

/** A call that can be made for several rows of a list at once. */
export interface BulkAction<Row> {
  call: Writing;
  /** The button's text: `Mark 3 as shipped`. */
  text: (count: number) => string;
  /** The call for a row; null if the row does not allow it. */
  requestOf: (row: Row) => BulkRequest | null;
}

interface Choice {
  text: string;
  onStart: () => void;
}

interface BulkBarProps {
  /** A row's noun. */
  noun: Noun;
  selected: number;
  choices: readonly Choice[];
  run: BulkRun | null;
  onClear: () => void;
  onStop: () => void;
  onDismiss: () => void;
}

/** What can be done with the selected rows, how far it is, and what came of it. */
export function BulkBar({
  noun,
  selected,
  choices,
  run,
  onClear,
  onStop,
  onDismiss,
}: BulkBarProps) {
  if (run !== null) {
    return run.state === "running" || run.state === "stopping" ? (
      <Progress run={run} onStop={onStop} />
    ) : (
      <Result noun={noun} run={run} onDismiss={onDismiss} />
    );
  }
  if (selected === 0) {
    return null;
  }
  return (
    <section className="bulk-bar" aria-label="Selected rows">
      <p role="status">{countOf(selected, noun)} selected</p>
      <div className="buttons">
        {choices.map(({ text, onStart }) => (
          <Button key={text} onClick={onStart}>
            {text}
          </Button>
        ))}
        <Button variant="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
    </section>
  );
}

function Progress({ run, onStop }: { run: BulkRun; onStop: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), []); // the pressed button is gone
  const tried = run.worked + run.failures.length;
  return (
    <section className="bulk-bar" aria-label="Selected rows">
      <div>
        <p role="status">
          {run.text}: {formatCount(tried)} of {formatCount(run.total)}
        </p>
        <progress value={tried} max={run.total} aria-label={run.text} />
      </div>
      <Button
        ref={button}
        variant="secondary"
        busy={run.state === "stopping"}
        busyText="Stopping…"
        onClick={onStop}
      >
        Stop
      </Button>
    </section>
  );
}

function Result({ noun, run, onDismiss }: { noun: Noun; run: BulkRun; onDismiss: () => void }) {
  const { total, worked, failures } = run;
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus({ preventScroll: true }), []); // the Stop button is gone
  const untried = total - worked - failures.length;
  return (
    <section className="bulk-bar" aria-label="Selected rows">
      <div className="bulk-result">
        <p ref={text} tabIndex={-1} role="status">
          {run.text}: {formatCount(worked)} of {countOf(total, noun)} done.
          {failures.length > 0 ? ` ${formatCount(failures.length)} did not work.` : null}
          {untried > 0 ? ` ${formatCount(untried)} not tried.` : null}
        </p>
        {failures.length > 0 ? (
          <ul>
            {failures.map(({ id, name, message }) => (
              <li key={id}>
                <strong>{name}</strong>: {message}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      <Button variant="secondary" onClick={onDismiss}>
        Close
      </Button>
    </section>
  );
}
