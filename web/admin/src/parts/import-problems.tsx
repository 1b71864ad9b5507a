import { TableBox } from "~/parts/table-box";

interface Problem {
  row: number;
  column: string | null;
  reason: string;
}

/** The invalid rows of a file, each with its reason; renders nothing without any. */
export function ImportProblems({ title, rows }: { title: string; rows: readonly Problem[] }) {
  if (rows.length === 0) {
    return null;
  }
  return (
    <section className="screen" aria-label={title}>
      <h3>{title}</h3>
      <TableBox>
        <table className="list-table">
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Column</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, column, reason }) => (
              <tr key={`${row} ${column} ${reason}`}>
                <td data-title="Row">{row}</td>
                <td data-title="Column">{column ?? "–"}</td>
                <td data-title="Reason">{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </section>
  );
}
