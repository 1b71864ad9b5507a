import { Globe } from "lucide-react";
import { Crest } from "@/components/crest";
import { TabList } from "@/components/tab-list";
import { TABS } from "@/features/chat/chat-machine";
import { unreadIn } from "@/features/chat/room";
import type { Chat } from "@/features/chat/use-chat";
import { formatCount } from "@/lib/format/counts";
import { useMember } from "@/lib/session/session";

/** The club's room and the public one, each with the members online and an unread mark. */
export function ChatTabs({ chat }: { chat: Chat }) {
  const { state, names, openTab } = chat;
  const tabs = TABS.map((tab) => ({
    value: tab,
    content: (
      <>
        {tab === "club" ? <OwnCrest /> : <Globe aria-hidden="true" />}
        <span>
          <b>{names[tab]}</b> <span className="small">{onlineText(state.counts[tab])}</span>
        </span>
        <Unread count={tab === state.tab ? 0 : unreadIn(state.rooms[tab], state.me.id)} />
      </>
    ),
  }));
  return <TabList label="Rooms" name="chat" tabs={tabs} value={state.tab} onChange={openTab} />;
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
