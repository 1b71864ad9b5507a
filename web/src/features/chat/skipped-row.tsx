import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import type { Row } from "@/features/chat/rows";
import { counted } from "@/lib/format/counts";
import { showToast } from "@/lib/ui/toasts";

/** In a lively room, screen readers are told of messages that were not sent this often. */
const ANNOUNCE_INTERVAL_MS = 15_000;

interface SkippedRowProps {
  row: Extract<Row, { kind: "skipped" }>;
  onLoad: () => Promise<void>;
}

/** The number of messages that were not sent to this phone, in their place; loads them. */
export function SkippedRow({ row: { from, count }, onLoad }: SkippedRowProps) {
  const [isLoading, setLoading] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const load = async () => {
    setLoading(true);
    try {
      await onLoad();
    } catch {
      if (place.current !== null) {
        showToast("error", "Couldn't load messages.");
      }
    } finally {
      setLoading(false);
    }
  };
  return (
    <div ref={place} className="chat-skipped" data-skipped={from}>
      <Button variant="quiet" busy={isLoading} onClick={() => void load()}>
        {skippedText(count)}
      </Button>
    </div>
  );
}

/** Whether the count of these messages has the keyboard's focus. */
export function isSkippedFocused(from: number): boolean {
  return document.activeElement?.closest(`[data-skipped="${from}"]`) != null;
}

/** Announces how many more messages were not sent, not as often as their number grows. */
export function SkippedAnnouncer({ count }: { count: number }) {
  const [announced, setAnnounced] = useState({ count: 0, text: "" });
  const announcedAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (count < announced.count) {
      setAnnounced({ count, text: "" });
    }
    if (count <= announced.count) {
      return;
    }
    const announce = () => {
      announcedAtMs.current = Date.now();
      setAnnounced({ count, text: skippedText(count - announced.count) });
    };
    const waitMs = announcedAtMs.current + ANNOUNCE_INTERVAL_MS - Date.now();
    const timer = setTimeout(announce, Math.max(0, waitMs));
    return () => clearTimeout(timer);
  }, [count, announced]);
  return (
    <p className="visually-hidden" role="status">
      {announced.text}
    </p>
  );
}

function skippedText(count: number): string {
  return `+ ${counted(count, "new message")}`;
}
