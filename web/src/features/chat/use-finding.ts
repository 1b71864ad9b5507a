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
}

/** Scroll to a message, loading older ones until it is there, and focus it. */
export function useFinding(
  list: React.RefObject<VListHandle | null>,
  { rows, room, onOlder }: Finding,
): (messageId: string) => void {
  const [wanted, setWanted] = useState<string | null>(null);
  const pages = useRef(0);
  useEffect(() => {
    if (wanted === null) {
      return;
    }
    const index = rows.findIndex((row) => row.kind === "message" && row.message.id === wanted);
    if (index >= 0) {
      list.current?.scrollToIndex(index, { align: "center" });
      focusDrawn(wanted, DRAWN_WITHIN);
      setWanted(null);
    } else if (room.older === "failed" || !room.hasOlder || pages.current >= MAX_PAGES) {
      showToast("info", NOT_FOUND);
      setWanted(null);
    } else if (room.older === "idle") {
      pages.current += 1;
      onOlder();
    }
  }, [wanted, rows, room, list, onOlder]);
  return useCallback((messageId) => {
    pages.current = 0;
    setWanted(messageId);
  }, []);
}

function focusDrawn(messageId: string, framesLeft: number): void {
  const drawn = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`);
  if (drawn !== null) {
    drawn.focus({ preventScroll: true });
  } else if (framesLeft > 0) {
    requestAnimationFrame(() => focusDrawn(messageId, framesLeft - 1));
  }
}
