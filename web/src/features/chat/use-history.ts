import { useCallback, useEffect, useRef, useState } from "react";
import { CATCH_UP_LENGTH, PAGE_LENGTH, readMessages } from "@/features/chat/api";
import type { ChatContext } from "@/features/chat/chat-context";
import { type ChatState, type Link, TABS, type Tab } from "@/features/chat/chat-machine";
import { lastSynced } from "@/features/chat/room";

const CATCH_UP_RETRY_DELAY_MS = 3000;
/** Further behind than this, the newest page is enough: older messages load on scrolling back. */
const FAR_BEHIND = 300;

const NOT_JOINED: readonly Link[] = ["joining", "join-failed", "banned"];

/** The newest page of the open tab, older and skipped ones on demand, and the fill of gaps. */
export function useHistory(context: ChatContext) {
  const { state } = context;
  const now = useRef(context);
  now.current = context;
  const life = useLife();
  const reading = useRef(new Set<number>());

  const begin = useCallback(
    async (tab: Tab) => {
      const upToSeq = roomOf(now.current.state, tab).lastSeq;
      const messages = await readMessages(pathOf(now.current, tab), {}, life.current.signal);
      const hasOlder = messages.length >= PAGE_LENGTH;
      now.current.dispatch({ type: "history", tab, messages, hasOlder, upToSeq });
    },
    [life],
  );

  const loadHistory = useCallback(
    async (tab: Tab) => {
      const { dispatch } = now.current;
      dispatch({ type: "history-asked", tab });
      await begin(tab).catch(() => dispatch({ type: "history-failed", tab }));
    },
    [begin],
  );

  const loadOlder = useCallback(
    async (tab: Tab) => {
      const { dispatch } = now.current;
      const room = roomOf(now.current.state, tab);
      const before = room.messages[0]?.id;
      if (before === undefined || room.older === "loading" || !room.hasOlder) {
        return;
      }
      dispatch({ type: "older-asked", tab });
      try {
        const cursor = { before, limit: PAGE_LENGTH };
        const messages = await readMessages(pathOf(now.current, tab), cursor, life.current.signal);
        dispatch({ type: "older", tab, messages, hasOlder: messages.length >= PAGE_LENGTH });
      } catch {
        dispatch({ type: "older-failed", tab });
      }
    },
    [life],
  );

  const loadSkipped = useCallback(
    async (tab: Tab, from: number) => {
      const room = roomOf(now.current.state, tab);
      const range = room.skipped.find((one) => one.from === from);
      const after = room.messages.findLast(({ seq }) => seq < from)?.id;
      if (range === undefined || after === undefined || reading.current.has(from)) {
        return null;
      }
      reading.current.add(from);
      try {
        const limit = Math.min(range.to - from + 1, CATCH_UP_LENGTH);
        const cursor = { after, limit };
        const page = await readMessages(pathOf(now.current, tab), cursor, life.current.signal);
        const messages = page.filter(({ seq }) => seq <= range.to);
        // Messages that were deleted meanwhile are not in the page.
        const isWhole = messages.length < limit;
        const upToSeq = isWhole ? range.to : (messages.at(-1)?.seq ?? range.to);
        now.current.dispatch({ type: "skipped-read", tab, messages, from, upToSeq });
        return messages[0]?.id ?? null;
      } finally {
        reading.current.delete(from);
      }
    },
    [life],
  );

  const isJoined = !NOT_JOINED.includes(state.link);
  const isUntouched = state.rooms[state.tab].history === "untouched";
  useEffect(() => {
    if (isJoined && isUntouched) {
      void loadHistory(state.tab);
    }
  }, [isJoined, isUntouched, state.tab, loadHistory]);

  useCatchUp(now, life, begin);
  return { loadHistory, loadOlder, loadSkipped };
}

/** Fill the gap after the last complete message, page by page. */
function useCatchUp(
  now: React.RefObject<ChatContext>,
  life: React.RefObject<AbortController>,
  begin: (tab: Tab) => Promise<void>,
): void {
  const running = useRef(new Set<Tab>());
  const over = useRef(new Set<Tab>());
  const [rounds, setRounds] = useState(0);

  const catchUp = useCallback(
    async (tab: Tab) => {
      const { state, dispatch } = now.current;
      let after = lastSynced(roomOf(state, tab))?.id;
      for (let isComplete = false; !isComplete; ) {
        const { lastSeq: upToSeq, syncedSeq } = roomOf(now.current.state, tab);
        if (after === undefined || upToSeq - syncedSeq > FAR_BEHIND) {
          await begin(tab);
          return;
        }
        const cursor = { after, limit: CATCH_UP_LENGTH };
        const messages = await readMessages(pathOf(now.current, tab), cursor, life.current.signal);
        isComplete = messages.length < CATCH_UP_LENGTH;
        after = messages.at(-1)?.id ?? after;
        dispatch({ type: "caught-up", tab, messages, isComplete, upToSeq });
      }
    },
    [now, life, begin],
  );

  // A load ends when its messages are on screen: an earlier page's effect may run after the last
  // response, still sees the room behind, and would fetch that page once more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the round says that a reading ended
  useEffect(() => {
    for (const tab of over.current) {
      running.current.delete(tab);
    }
    over.current.clear();
  }, [rounds]);

  // After every change: being behind is rare, and fixed at once.
  useEffect(() => {
    const { state } = now.current;
    const behind = TABS.filter((tab) => state.rooms[tab].mustCatchUp && !running.current.has(tab));
    for (const tab of state.link === "open" ? behind : []) {
      running.current.add(tab);
      catchUp(tab)
        .catch(() => pause(CATCH_UP_RETRY_DELAY_MS))
        .finally(() => {
          over.current.add(tab);
          setRounds((count) => count + 1);
        });
    }
  });
}

function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forMs));
}

/** Aborted when the screen is left. */
function useLife(): React.RefObject<AbortController> {
  const life = useRef(new AbortController());
  useEffect(() => {
    life.current = new AbortController();
    return () => life.current.abort();
  }, []);
  return life;
}

function roomOf(state: ChatState, tab: Tab) {
  return state.rooms[tab];
}

/** The club's room is addressed by id, which fits into every URL. */
function pathOf({ member, names }: ChatContext, tab: Tab): string {
  return tab === "club" ? member.club : names.public;
}
