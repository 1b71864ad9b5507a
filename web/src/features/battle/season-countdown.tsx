import "@/features/battle/season-countdown.css";
import { twoDigits } from "@/lib/format/counts";
import { splitTime } from "@/lib/live/server-clock";

/** 'Battle starts in', in weeks, days, hours, minutes and seconds. */
export function SeasonCountdown({ leftMs }: { leftMs: number }) {
  const numbers = Object.entries(splitTime(leftMs));
  return (
    <div className="season-countdown" role="timer" aria-labelledby="battle-starts">
      <p id="battle-starts">Battle starts in</p>
      <ul>
        {numbers.map(([unit, amount]) => (
          <li key={unit}>
            <span className="numeral">{twoDigits(amount)}</span>
            <span className="small">{unit}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
