import type { OrderEvent } from "@/api/wire";
import { eventText } from "@/features/shop/rules";
import { formatMoment } from "@/lib/format/dates";

/** The history of an order, oldest first. */
export function OrderTimeline({ events }: { events: OrderEvent[] }) {
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={`${event.kind} ${event.at}`}>
          <strong>{eventText(event)}</strong>
          <time className="small muted" dateTime={event.at}>
            {formatMoment(event.at)}
          </time>
          {event.note ? <span className="small">{event.note}</span> : null}
        </li>
      ))}
    </ol>
  );
}
