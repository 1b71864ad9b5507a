import { Globe } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { Crest } from "@/components/crest";
import { TABS, type Tab } from "@/features/chat/chat-machine";
import { unreadIn } from "@/features/chat/room";
import type { Chat } from "@/features/chat/use-chat";
import { formatCount } from "@/lib/counts";
import { useMember } from "@/lib/session";

export const tabId = (tab: Tab) => `chat-tab-${tab}`;
export const panelId = (tab: Tab) => `chat-panel-${tab}`;

/** The club's room and the public one, each with who is online and whether something waits. */
export function ChatTabs({ chat }: { chat: Chat }) {
  const list = useRef<HTMLDivElement>(null);
  const { state, names, openTab } = chat;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbour(state.tab, event.key);
    if (next !== null) {
      event.preventDefault();
      openTab(next);
      list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus();
    }
  };
  return (
    <div ref={list} className="chat-tabs" role="tablist" aria-label="Rooms" onKeyDown={onKeyDown}>
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={tabId(tab)}
          aria-selected={tab === state.tab}
          aria-controls={tab === state.tab ? panelId(tab) : undefined}
          tabIndex={tab === state.tab ? 0 : -1}
          onClick={() => openTab(tab)}
        >
          {tab === "club" ? <OwnCrest /> : <Globe aria-hidden="true" />}
          <span>
            <b>{names[tab]}</b> <span className="small">{onlineText(state.counts[tab])}</span>
          </span>
          <Unread count={tab === state.tab ? 0 : unreadIn(state.rooms[tab], state.me.id)} />
        </button>
      ))}
    </div>
  );
}

function OwnCrest() {
  const { clubName, emblem, clubColours } = useMember();
  return <Crest clubName={clubName} emblem={emblem} colours={clubColours} size={30} />;
}

function onlineText(count: number | null): string {
  return count === null ? "…" : `${formatCount(count)} online`;
}

function Unread({ count }: { count: number }) {
  return count === 0 ? null : (
    <>
      <i aria-hidden="true" /> <span className="visually-hidden">{count} unread</span>
    </>
  );
}

function neighbour(tab: Tab, key: string): Tab | null {
  if (key === "Home") {
    return "club";
  }
  if (key === "End") {
    return "public";
  }
  return key === "ArrowLeft" || key === "ArrowRight" ? (tab === "club" ? "public" : "club") : null;
}
