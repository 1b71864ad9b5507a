import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { keys } from "@/api/query-keys";
import { findPeople } from "@/features/chat/api";
import type { Draft } from "@/features/chat/chat-memory";
import type { OnlineMember } from "@/features/chat/events";
import { displayName } from "@/lib/format/names";
import { useMember } from "@/lib/session/session";
import { useOverlay } from "@/lib/ui/use-overlay";

/** An @ at the start of a word, and the start of a name after it. */
const CALL = /(?:^|\s)@([^\s@][^@\n]{1,39})$/u;
const MAX_MENTIONS = 5;
const DEBOUNCE_MS = 300;
const KNOWN_FOR_MS = 60_000;

interface MentionsProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** The room, as calls name it. */
  room: string;
  draft: Draft;
  change: (change: Partial<Draft>) => void;
}

/** The candidates for the text before the caret, and the ids of mentioned members. */
export function useMentions({ field, room, draft, change }: MentionsProps) {
  const member = useMember();
  const { text, mentions: picked } = draft;
  const [caret, setCaret] = useState(0);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const called = CALL.exec(text.slice(0, caret))?.[1] ?? null;
  const name = useSettled(called);
  const asked = name !== null && name === called ? name : null;
  const { data } = useQuery({
    queryKey: keys.chatPeople(member.id, room, asked ?? ""),
    queryFn: asked === null ? skipToken : ({ signal }) => findPeople(room, asked, signal),
    staleTime: KNOWN_FOR_MS,
    gcTime: KNOWN_FOR_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const isNamed = called !== null && picked.some((one) => isNameOf(one, called));
  const isOpen = called !== null && called !== dismissed && !isNamed;
  const people = isOpen ? (data ?? []).filter((one) => fits(one, called)) : [];
  useOverlay(people.length > 0, () => setDismissed(called));
  const shown = Math.min(active, Math.max(0, people.length - 1));

  const choose = (one: OnlineMember) => {
    const start = caret - (called ?? "").length;
    const named = `${nameOf(one)} `;
    const behind = start + named.length;
    // The caret is set before the next key: set later, it would split what is typed next.
    flushSync(() => {
      change({
        text: text.slice(0, start) + named + text.slice(caret),
        mentions: [...picked.filter(({ id }) => id !== one.id), one],
      });
      setActive(0);
      setCaret(behind);
    });
    field.current?.focus();
    field.current?.setSelectionRange(behind, behind);
  };
  const answerKey = (event: KeyboardEvent): boolean => {
    const chosen = people[shown];
    if (chosen === undefined) {
      return false;
    }
    switch (event.key) {
      case "ArrowDown":
        setActive((shown + 1) % people.length);
        return true;
      case "ArrowUp":
        setActive((shown + people.length - 1) % people.length);
        return true;
      case "Enter":
      case "Tab":
        choose(chosen);
        return true;
      case "Escape":
        setDismissed(called);
        return true;
      default:
        return false;
    }
  };
  return {
    people,
    active: shown,
    choose,
    answerKey,
    follow: () => setCaret(field.current?.selectionStart ?? 0),
    /** The ids of the members whose names are still in the text. */
    mentionsIn: (sent: string) =>
      picked
        .filter((one) => sent.includes(`@${nameOf(one)}`))
        .map(({ id }) => id)
        .slice(-MAX_MENTIONS),
  };
}

function nameOf({ firstName, lastName }: OnlineMember): string {
  return displayName(lastName, firstName);
}

/** Whether the text after an @ is a name already chosen, which needs no request. */
function isNameOf(one: OnlineMember, called: string): boolean {
  return `${called} `.startsWith(`${nameOf(one)} `);
}

/** Whether a member found for fewer letters still matches. */
function fits({ firstName, lastName }: OnlineMember, called: string): boolean {
  const begins = called.trimEnd().toLowerCase();
  return [`${firstName} ${lastName}`, `${lastName} ${firstName}`].some((name) =>
    name.toLowerCase().startsWith(begins),
  );
}

/** The debounced value; nothing is fetched while letters come. */
function useSettled(value: string | null): string | null {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
