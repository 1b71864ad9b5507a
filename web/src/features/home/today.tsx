import "@/features/home/today.css";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { todayQuery } from "@/api/today";
import type { Today as Day, TodayAction } from "@/api/wire";
import { buttonClasses } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { actionTile, type HomeTile, tileOf, untilText } from "@/features/home/home-tiles";
import { clockText } from "@/lib/format/waits";
import { useServerNow } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

const REDRAW_INTERVAL_MS = 30_000;
const PENDING_TILES = ["first", "second"];

/** The first thing to do, and the other tiles of the day. */
export function Today() {
  const today = useQuery(todayQuery(useMember()));
  return (
    <Loaded query={today} pending={<TodayWaiting />}>
      {(day) => <ActionAndTiles day={day} />}
    </Loaded>
  );
}

function ActionAndTiles({ day: { action, doors } }: { day: Day }) {
  const nowMs = useServerNow(REDRAW_INTERVAL_MS);
  const tiles = doors.map((tile) => tileOf(tile, nowMs)).filter((tile) => tile !== null);
  const others = tiles.filter(({ kind }) => kind !== action.kind);
  return (
    <>
      <Action action={action} tiles={tiles} />
      {others.length === 0 ? null : (
        <ul className="card row-list doors" aria-label="More to play">
          {others.map((tile) => (
            <TileLine key={tile.kind} tile={tile} />
          ))}
        </ul>
      )}
    </>
  );
}

function Action({ action, tiles }: { action: TodayAction; tiles: readonly HomeTile[] }) {
  const { title, icon: Icon, line, button } = actionTile(action, tiles);
  return (
    <section className="card today-card" aria-labelledby="today-title">
      <Icon className="today-icon" aria-hidden="true" />
      <header>
        <h2 id="today-title">Today</h2>
        {action.until === null ? null : (
          <Countdown label={untilText(action.kind)} at={action.until} />
        )}
      </header>
      <h3>{title}</h3>
      <p>{line}</p>
      {button === null ? null : (
        <Link className={buttonClasses("accent")} to={button.path}>
          {button.text}
        </Link>
      )}
    </section>
  );
}

function Countdown({ label, at }: { label: string; at: string }) {
  const nowMs = useServerNow();
  return (
    <p className="today-clock">
      {label}{" "}
      <span role="timer" aria-label={label}>
        {clockText(Date.parse(at) - nowMs)}
      </span>
    </p>
  );
}

/** A tile as a row; the whole row is the link. */
function TileLine({ tile: { title, icon: Icon, line, button, path } }: { tile: HomeTile }) {
  return (
    <li className="door">
      <Icon aria-hidden="true" />
      <div>
        <h3>{button?.path === path ? title : <Link to={path}>{title}</Link>}</h3>
        <p>{line}</p>
      </div>
      {button === null ? null : (
        <Link className="door-button" to={button.path}>
          {button.text}
        </Link>
      )}
    </li>
  );
}

/** As high as an action and two tiles, which most members have. */
function TodayWaiting() {
  return (
    <>
      <div className="card today-card" role="status" aria-label="Loading your day">
        <Skeleton shape="block" />
      </div>
      <div className="card row-list doors">
        {PENDING_TILES.map((tile) => (
          <div key={tile} className="door">
            <Skeleton />
          </div>
        ))}
      </div>
    </>
  );
}
