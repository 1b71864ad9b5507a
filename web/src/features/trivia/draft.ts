import { useSyncExternalStore } from "react";
import { isRecord, storedValue } from "@/lib/device/storage";

/** The unsubmitted answers of one member and day. */
interface Draft {
  userId: string;
  day: string;
  answers: Record<string, string>;
  slide: number;
}

const stored = storedValue<Draft>(
  "trivia",
  (value) => (isRecord(value) && isRecord(value["answers"]) ? (value as unknown as Draft) : null),
  "for-this-tab",
);

/**
 * The draft of this member and day, which survives reloads of the tab; another day begins empty.
 */
export function useDraft(userId: string, day: string) {
  const kept = useSyncExternalStore(stored.subscribe, stored.read);
  const isMine = kept?.userId === userId && kept.day === day;
  const draft: Draft = isMine ? kept : { userId, day, answers: {}, slide: 0 };
  return {
    answers: draft.answers,
    slide: draft.slide,
    answer: (questionId: string, key: string) =>
      stored.write({ ...draft, answers: { ...draft.answers, [questionId]: key } }),
    goTo: (slide: number) => stored.write({ ...draft, slide }),
  };
}

export function clearDraft(): void {
  stored.clear();
}
