import { ArrowDown } from "lucide-react";
import {
  type ReactElement,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { VList, type VListHandle } from "virtua";
import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import type { Room } from "@/features/chat/room";
import type { Row } from "@/features/chat/rows";
import { counted } from "@/lib/format/counts";

/** Within this distance of its end, the list follows new messages (contract B-52). */
const NEAR_THE_END_PX = 120;
/** Older messages are fetched before the start is reached. */
const NEAR_THE_START_PX = 600;

interface MessageListProps {
  list: React.RefObject<VListHandle | null>;
  label: string;
  rows: Row[];
  draw: (row: Row) => ReactElement;
  /** The last change added or removed rows above: the scroll position stays. */
  startMoved: boolean;
  older: Room["older"];
  hasOlder: boolean;
  unread: number;
  onOlder: () => void;
  /** Load messages that were not sent: the row that counts them is on screen. */
  onSkipped: (from: number) => void;
  onEnd: (isAtEnd: boolean) => void;
}

/** The visible rows of a virtual list; the newest ones at first. */
export function MessageList(props: MessageListProps) {
  const { list, label, rows, draw, startMoved, unread } = props;
  const { follow, isAtEnd, jump } = useFollowing(list, props);
  const fetchOlder = useOlder(list, props);
  const fetchSkipped = () => {
    const row = follow.isFollowing() ? undefined : lastSkippedOnScreen(list.current, rows);
    if (row?.kind === "skipped") {
      props.onSkipped(row.from);
    }
  };
  return (
    <div className="chat-face">
      <Older {...props} />
      <VList
        ref={list}
        className="chat-list"
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
        shift={startMoved}
        data={rows}
        onScroll={() => {
          follow.scrolled();
          fetchOlder();
          fetchSkipped();
        }}
        onResize={follow.resized}
      >
        {(row: Row, index) => (
          <div
            key={row.key}
            className={index === rows.length - 1 ? "chat-row is-last" : "chat-row"}
          >
            {draw(row)}
          </div>
        )}
      </VList>
      {isAtEnd ? null : <ToTheEnd unread={unread} onJump={jump} />}
    </div>
  );
}

/** At the end, where the member watches new messages, nothing is loaded. */
function lastSkippedOnScreen(list: VListHandle | null, rows: readonly Row[]): Row | undefined {
  if (list === null || !rows.some(({ kind }) => kind === "skipped")) {
    return undefined;
  }
  const { scrollOffset, viewportSize } = list;
  const [first, last] = [scrollOffset, scrollOffset + viewportSize].map(list.findItemIndex);
  return rows.slice(first, (last ?? 0) + 1).findLast(({ kind }) => kind === "skipped");
}

function ToTheEnd({ unread, onJump }: { unread: number; onJump: () => void }) {
  const text = unread === 0 ? "Newest messages" : counted(unread, "new message");
  return (
    <Button
      variant={unread === 0 ? "quiet" : "primary"}
      className="chat-pill"
      icon={<ArrowDown aria-hidden="true" />}
      onClick={onJump}
    >
      {text}
    </Button>
  );
}

function Older({ older, onOlder }: MessageListProps) {
  if (older === "idle") {
    return null;
  }
  return (
    <div className="chat-older" role="status">
      {older === "loading" ? (
        <Spinner small label="Loading older messages" />
      ) : (
        <>
          <p>Couldn't load messages.</p>
          <Button variant="quiet" onClick={onOlder}>
            Retry
          </Button>
        </>
      )}
    </div>
  );
}

/** Stay at the end while the member is there, and scroll there when they send. */
function useFollowing(
  list: React.RefObject<VListHandle | null>,
  { rows, onEnd }: MessageListProps,
) {
  const [isAtEnd, setAtEnd] = useState(true);
  const isFollowing = useRef(true);
  const lastIndex = useRef(0);
  lastIndex.current = rows.length - 1;
  const last = rows.at(-1);

  const toTheEnd = useCallback(
    () => list.current?.scrollToIndex(lastIndex.current, { align: "end" }),
    [list],
  );
  const scrolled = useCallback(() => {
    const { scrollSize = 0, scrollOffset = 0, viewportSize = 0 } = list.current ?? {};
    isFollowing.current = scrollSize - scrollOffset - viewportSize <= NEAR_THE_END_PX;
    setAtEnd(isFollowing.current);
  }, [list]);
  const resized = useCallback(() => {
    if (isFollowing.current) {
      toTheEnd();
    }
  }, [toTheEnd]);

  const ownKey = last?.kind === "pending" ? last.key : null;
  useLayoutEffect(() => {
    if (ownKey !== null) {
      isFollowing.current = true;
    }
  }, [ownKey]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the rows is followed
  useLayoutEffect(resized, [rows, resized]);
  useEffect(() => {
    // Fonts that load late make every row higher.
    void document.fonts?.ready.then(resized);
  }, [resized]);
  useEffect(() => onEnd(isAtEnd), [isAtEnd, onEnd]);

  const jump = () => {
    isFollowing.current = true;
    toTheEnd();
  };
  const isFollowingNow = () => isFollowing.current;
  return { follow: { scrolled, resized, isFollowing: isFollowingNow }, isAtEnd, jump };
}

/** Fetch older messages near the start, and while the list is too short to scroll. */
function useOlder(
  list: React.RefObject<VListHandle | null>,
  { rows, hasOlder, older, onOlder }: MessageListProps,
) {
  const fetchOlder = () => {
    const offset = list.current?.scrollOffset ?? 0;
    if (hasOlder && older === "idle" && offset < NEAR_THE_START_PX) {
      onOlder();
    }
  };
  const fetchNow = useRef(fetchOlder);
  fetchNow.current = fetchOlder;
  // biome-ignore lint/correctness/useExhaustiveDependencies: fewer rows may not fill the screen
  useEffect(() => {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {};
    if (viewportSize > 0 && scrollSize <= viewportSize) {
      fetchNow.current();
    }
  }, [list, rows]);
  return fetchOlder;
}
