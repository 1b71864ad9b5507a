import { type ReactNode, useState } from "react";
import { mayDo, useOperator } from "~/api/operator";
import { type BulkItem, useBulk } from "~/api/use-bulk";
import type { BulkAction, BulkBar } from "~/parts/bulk-bar";
import type { RowSelection } from "~/parts/rows-table";

interface SelectionOf<Row> {
  /** All loaded rows, and those in sight. */
  rows: readonly Row[];
  shown: readonly Row[];
  bulk: readonly BulkAction<Row>[];
  rowKey: (row: Row) => string;
  nameOf: (row: Row) => string;
}

interface Selecting<Row> {
  selection: RowSelection<Row> | undefined;
  /** The checkbox that selects all rows in sight. */
  toggleAll: ReactNode;
  bar: Omit<Parameters<typeof BulkBar>[0], "noun">;
}

/**
 * The selected rows of a list, for the bulk actions that the operator may use.
 *
 * A row that no action is possible for any more is no longer selected.
 */
export function useSelection<Row>({
  rows,
  shown,
  bulk,
  rowKey,
  nameOf,
}: SelectionOf<Row>): Selecting<Row> {
  const operator = useOperator();
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const select = (changed: readonly string[], isSelected: boolean) =>
    setKeys((before) => {
      const next = new Set(before);
      for (const key of changed) {
        if (isSelected) {
          next.add(key);
        } else {
          next.delete(key);
        }
      }
      return next;
    });
  const { run, start, stop, dismiss } = useBulk((id) => select([id], false));
  const isRunning = run?.state === "running" || run?.state === "stopping";
  const actions = bulk.filter(({ call }) => mayDo(operator, call));
  const isSelectable = (row: Row) => actions.some(({ requestOf }) => requestOf(row) !== null);
  const isSelected = (row: Row) => keys.has(rowKey(row)) && isSelectable(row);
  const change = (changed: readonly Row[], isNowSelected: boolean) => {
    dismiss();
    select(changed.map(rowKey), isNowSelected);
  };

  const selected = rows.filter(isSelected);
  const choices = actions.flatMap((action) => {
    const items: BulkItem[] = selected.flatMap((row) => {
      const request = action.requestOf(row);
      return request === null ? [] : [{ id: rowKey(row), name: nameOf(row), request }];
    });
    const text = action.text(items.length);
    return items.length === 0
      ? []
      : [{ text, onStart: () => void start(action.call, text, items) }];
  });
  const selectable = shown.filter(isSelectable);
  const chosen = selectable.filter(isSelected).length;
  return {
    selection:
      actions.length === 0
        ? undefined
        : {
            isSelectable,
            isSelected,
            nameOf,
            onSelect: (row, isNowSelected) => change([row], isNowSelected),
            disabled: isRunning,
          },
    toggleAll:
      selectable.length === 0 ? null : (
        <label className="select-all">
          <input
            type="checkbox"
            ref={(box) => {
              if (box !== null) {
                box.indeterminate = chosen > 0 && chosen < selectable.length;
              }
            }}
            checked={chosen === selectable.length}
            disabled={isRunning}
            onChange={({ target }) => change(selectable, target.checked)}
          />
          Select all shown
        </label>
      ),
    bar: {
      selected: selected.length,
      choices,
      run,
      onClear: () => select([...keys], false),
      onStop: stop,
      onDismiss: dismiss,
    },
  };
}
