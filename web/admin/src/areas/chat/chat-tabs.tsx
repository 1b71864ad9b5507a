import { Tabs } from "~/parts/tabs";

const TABS = [
  { path: "/chat", title: "Reports" },
  { path: "/chat/mutes", title: "Mutes" },
  { path: "/chat/bans", title: "Bans" },
];

/** What moderators work on. */
export function ChatTabs() {
  return <Tabs label="Chat" tabs={TABS} />;
}
