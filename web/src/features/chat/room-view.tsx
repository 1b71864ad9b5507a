import { MessageCircle } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { VListHandle } from "virtua";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Spinner } from "@/components/spinner";
import { PUBLIC_ROOM } from "@/features/chat/api";
import type { ChatState, Tab } from "@/features/chat/chat-machine";
import type { ChatMessage } from "@/features/chat/events";
import { useLastMessages } from "@/features/chat/last-messages";
import { MessageList } from "@/features/chat/message-list";
import { MessageRowView, PendingRowView } from "@/features/chat/message-row";
import { type Room, unreadIn } from "@/features/chat/room";
import { type Row, rowsOf } from "@/features/chat/rows";
import { isSkippedFocused, SkippedRow } from "@/features/chat/skipped-row";
import type { Chat } from "@/features/chat/use-chat";
import { useFinding } from "@/features/chat/use-finding";
import { useOnline } from "@/lib/device/online";
import { dayOf } from "@/lib/format/dates";
import { NEEDS_A_CONNECTION } from "@/lib/live/failures";
import { useServerNow } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

const MINUTE_MS = 60_000;
/** After a failure, scrolling loads nothing for so long; pressing a count does. */
const FAILED_PAUSE_MS = 5000;

const EMPTY: Record<Tab, string> = {
  club: "No club chats at the moment.",
  public: "No public chats at the moment.",
};

interface RoomViewProps {
  chat: Chat;
  onMenu: (message: ChatMessage) => void;
}

/** The message area of the open tab, in any state. */
export function RoomView({ chat, onMenu }: RoomViewProps) {
  const { state, names } = chat;
  const { tab, link } = state;
  const room = useShownRoom(state);
  const hasFailed = room.older === "failed" && state.rooms[tab].history !== "ready";
  const rows = useRows(room, state.me.id);
  const isOpen = link === "open";
  const [isAtEnd, setAtEnd] = useState(true);
  const list = useRef<VListHandle>(null);
  const restsUntilMs = useRef(0);
  const find = useFinding(list, {
    rows,
    room,
    onOlder: chat.loadOlder,
    onSkipped: chat.loadSkipped,
  });
  useAttention(isAtEnd && state.rooms[tab].history === "ready", chat.attend);

  if (room.history === "failed" || (link === "join-failed" && rows.length === 0)) {
    return <Failed onRetry={chat.reload} />;
  }
  if (room.history !== "ready") {
    return (
      <div className="chat-face">
        <div className="empty-state">
          <Spinner label="Loading messages" />
        </div>
      </div>
    );
  }
  if (rows.length === 0) {
    return (
      <div className="chat-face">
        <EmptyState icon={MessageCircle} title={EMPTY[tab]}>
          Be the first to say something.
        </EmptyState>
      </div>
    );
  }
  const showSkipped = async (from: number) => {
    const firstId = await chat.loadSkipped(from);
    if (firstId !== null) {
      find(firstId);
    }
  };
  const draw = (row: Row) => {
    switch (row.kind) {
      case "message":
        return (
          <MessageRowView
            row={row}
            memberId={state.me.id}
            onMenu={onMenu}
            onReact={chat.react}
            onFind={find}
          />
        );
      case "pending":
        return (
          <PendingRowView
            row={row}
            isOpen={isOpen}
            onRetry={chat.retry}
            onUnquote={chat.unquote}
            onDiscard={chat.discard}
            onFind={find}
          />
        );
      case "skipped":
        return <SkippedRow row={row} onLoad={() => showSkipped(row.from)} />;
      default:
        return <Separator row={row} />;
    }
  };
  return (
    <MessageList
      list={list}
      label={`Messages in ${names[tab]}`}
      rows={rows}
      draw={draw}
      startMoved={room.startMoved}
      older={room.older}
      hasOlder={room.hasOlder}
      unread={unreadIn(room, state.me.id)}
      onOlder={hasFailed ? chat.reload : chat.loadOlder}
      onSkipped={(from) => {
        // Moving the focus there scrolls, too: it stays with what the count stood for.
        if (Date.now() < restsUntilMs.current) {
          return;
        }
        const load = isSkippedFocused(from) ? showSkipped(from) : chat.loadSkipped(from);
        load.catch(() => {
          restsUntilMs.current = Date.now() + FAILED_PAUSE_MS;
        });
      }}
      onEnd={setAtEnd}
    />
  );
}

/** The rows, rebuilt when the room changes and at midnight. */
function useRows(room: Room, memberId: string): Row[] {
  const nowMs = useServerNow(MINUTE_MS);
  const today = dayOf(nowMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time counts by its day
  return useMemo(() => rowsOf(room, memberId, nowMs), [room, memberId, today]);
}

/**
 * The open room; until it has loaded, with the messages last seen on this phone.
 *
 * A failure is shown above them, unless the phone is known to be offline.
 */
function useShownRoom({ me, tab, link, rooms }: ChatState): Room {
  const { club } = useMember();
  const last = useLastMessages(me.id, tab === "club" ? club : PUBLIC_ROOM);
  const isOnline = useOnline();
  const room = rooms[tab];
  return useMemo(() => {
    if (room.history === "ready" || last === null) {
      return room;
    }
    const hasFailed = room.history === "failed" || link === "join-failed";
    const older = hasFailed && isOnline ? "failed" : "idle";
    return {
      ...room,
      history: "ready",
      messages: last,
      older,
      hasOlder: true,
      lastReadSeq: Infinity,
    };
  }, [room, last, link, isOnline]);
}

/** Return whether the member sees the end of the list: it is on screen, and the page is visible. */
function useAttention(isAtEnd: boolean, attend: Chat["attend"]): void {
  useEffect(() => {
    const report = () => attend(isAtEnd && document.visibilityState === "visible", isAtEnd);
    report();
    document.addEventListener("visibilitychange", report);
    return () => {
      document.removeEventListener("visibilitychange", report);
      attend(false, false);
    };
  }, [isAtEnd, attend]);
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const isOnline = useOnline();
  return (
    <div className="chat-face">
      <div className="empty-state" role="alert">
        <p>{isOnline ? "Couldn't load messages." : NEEDS_A_CONNECTION}</p>
        <Button variant="secondary" onClick={onRetry}>
          Retry
        </Button>
      </div>
    </div>
  );
}

function Separator({ row }: { row: Exclude<Row, { kind: "message" | "pending" | "skipped" }> }) {
  if (row.kind === "day") {
    return <h2 className="chat-day">{row.text}</h2>;
  }
  return row.kind === "new" ? (
    <p className="chat-new">New messages</p>
  ) : (
    <p className="chat-day">Beginning of the chat</p>
  );
}
