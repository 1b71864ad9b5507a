import { useCallback, useEffect, useRef, useState } from "react";
import type { VListHandle } from "virtua";
import type { Room } from "@/features/chat/room";
import type { Row } from "@/features/chat/rows";
import { showToast } from "@/lib/ui/toasts";

/** The maximum number of pages to read back. */
const MAX_PAGES = 20;
/** Frames in which the list renders the target of a scroll. */
const DRAWN_WITHIN = 30;
const NOT_FOUND = "This message is too far back.";

interface Finding {
  rows: readonly Row[];
  room: Room;
  onOlder: () => void;
  /** Load messages that were not sent, by the first `seq`. */
  onSkipped: (from: number) => Promise<unknown>;
}

/** Scroll to a message, loading skipped and older ones until it is there, and focus it. */
export function useFinding(
  list: React.RefObject<VListHandle | null>,
  { rows, room, onOlder, onSkipped }: Finding,
): (messageId: string) => void {
  const [wanted, setWanted] = useState<string | null>(null);
  const pages = useRef(0);
  const requested = useRef(0);
  const loadSkipped = useCallback(
    (from: number) => {
      if (requested.current !== from) {
        requested.current = from;
        pages.current += 1;
        onSkipped(from).catch(() => {
          showToast("error", "Couldn't load messages.");
          setWanted(null);
        });
      }
    },
    [onSkipped],
  );
  useEffect(() => {
    if (wanted === null) {
      return;
    }
    const index = rows.findIndex((row) => row.kind === "message" && row.message.id === wanted);
    switch (nextStep(index, room, pages.current)) {
      case "found":
        list.current?.scrollToIndex(index, { align: "center" });
        focusDrawn(wanted, DRAWN_WITHIN);
        setWanted(null);
        break;
      case "load-skipped":
        loadSkipped(room.skipped.at(-1)?.from ?? 0);
        break;
      case "load-older":
        pages.current += 1;
        onOlder();
        break;
      case "give-up":
        showToast("info", NOT_FOUND);
        setWanted(null);
        break;
      case "wait":
    }
  }, [wanted, rows, room, list, onOlder, loadSkipped]);
  return useCallback((messageId) => {
    pages.current = 0;
    requested.current = 0;
    setWanted(messageId);
  }, []);
}

type Step = "found" | "load-skipped" | "load-older" | "give-up" | "wait";

/** What to do about a message at this index of the rows, or at none, after so many pages. */
function nextStep(index: number, { skipped, older, hasOlder }: Room, pages: number): Step {
  if (index >= 0) {
    return "found";
  }
  if (pages >= MAX_PAGES || older === "failed") {
    return "give-up";
  }
  if (skipped.length > 0) {
    return "load-skipped";
  }
  if (!hasOlder) {
    return "give-up";
  }
  return older === "idle" ? "load-older" : "wait";
}

function focusDrawn(messageId: string, framesLeft: number): void {
  const drawn = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`);
  if (drawn !== null) {
    drawn.focus({ preventScroll: true });
  } else if (framesLeft > 0) {
    requestAnimationFrame(() => focusDrawn(messageId, framesLeft - 1));
  }
}
