import { Avatar } from "@/components/avatar";
import type { OnlineMember } from "@/features/chat/events";
import { formatCount } from "@/lib/format/counts";
import { displayName } from "@/lib/format/names";

interface PeopleProps {
  /** The room's name. */
  name: string;
  members: readonly OnlineMember[];
  count: number | null;
  memberId: string;
}

/** The members online; only on large screens. */
export function People({ name, members, count, memberId }: PeopleProps) {
  const others = Math.max(0, (count ?? members.length) - members.length);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reachable
    <aside className="chat-people" aria-label={`Online in ${name}`} tabIndex={0}>
      <h2>Online</h2>
      <ul>
        {members.map(({ id, firstName, lastName, avatar }) => (
          <li key={id}>
            <Avatar lastName={lastName} src={avatar} />
            <span>
              {displayName(lastName, firstName)}
              {id === memberId ? <span className="muted"> (you)</span> : null}
            </span>
          </li>
        ))}
      </ul>
      {others > 0 ? <p className="muted small">and {formatCount(others)} more</p> : null}
    </aside>
  );
}
