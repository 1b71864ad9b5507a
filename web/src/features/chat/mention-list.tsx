import { Avatar } from "@/components/avatar";
import type { OnlineMember } from "@/features/chat/events";
import { counted } from "@/lib/format/counts";
import { displayName } from "@/lib/format/names";

interface MentionListProps {
  id: string;
  people: readonly OnlineMember[];
  active: number;
  onChoose: (one: OnlineMember) => void;
}

export function optionId(listId: string, place: number): string {
  return `${listId}-${place}`;
}

/** The members to mention; the focus stays in the text. */
export function MentionList({ id, people, active, onChoose }: MentionListProps) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {people.length === 0 ? "" : `${counted(people.length, "member")} found`}
      </p>
      {people.length === 0 ? null : (
        <div className="mention-list" role="listbox" id={id} aria-label="Members">
          {people.map((one, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text's keys choose
            // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus
            <div
              key={one.id}
              id={optionId(id, place)}
              role="option"
              aria-selected={place === active}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(one)}
            >
              <Avatar lastName={one.lastName} src={one.avatar} />
              {displayName(one.lastName, one.firstName)}
            </div>
          ))}
        </div>
      )}
    </>
  );
}
