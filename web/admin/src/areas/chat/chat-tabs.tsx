import { Tabs } from "~/parts/tabs";

const TABS = [
  { path: "/chat", title: "Reports" },
  { path: "/chat/mutes", title: "Mutes" },
  { path: "/chat/bans", title: "Bans" },
];

/** The tabs of moderation. */
export function ChatTabs() {
  return <Tabs label="Chat" tabs={TABS} />;
}
