import "@/styles/board.css";
import "@/features/battle/challengers.css";
import { Avatar } from "@/components/avatar";
import { Crest } from "@/components/crest";
import { Panel } from "@/components/panel";
import type { Challenger } from "@/features/battle/events";
import { formatCount } from "@/lib/format/counts";
import { displayName } from "@/lib/format/names";

/** The season's best of every club, and the member's own row. */
export function Challengers({ rows }: { rows: Challenger[] }) {
  return (
    <Panel title="Challengers" className="battle-side">
      <table className="board challengers">
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Challenger</th>
            <th scope="col">Season points</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={`${row.rank} ${row.lastname} ${row.firstname} ${row.name}`}
              className={row.me ? "is-me" : undefined}
            >
              <td>
                <span className={`board-rank place-${row.rank ?? "none"}`}>{row.rank ?? "–"}</span>
              </td>
              <td>
                <span className="board-name">
                  <Avatar lastName={row.lastname} src={row.avatar} />
                  <span>
                    {displayName(row.lastname, row.firstname)}
                    {row.me ? <span className="board-you">You</span> : null}
                    <span className="board-below">
                      <Crest clubName={row.name} emblem={row.emblem} size={18} />
                      {row.name}
                    </span>
                  </span>
                </span>
              </td>
              <td>{formatCount(row.points)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
