import "@/features/chat/answers.css";
import "@/features/chat/chat.css";
import { DoorClosed, MessageCircle } from "lucide-react";
import { useCallback, useState } from "react";
import { CHAT_MAX_LENGTHS } from "@/api/max-lengths.gen";
import { EmptyState } from "@/components/empty-state";
import { tabPanel } from "@/components/tab-list";
import { PUBLIC_ROOM } from "@/features/chat/api";
import { changeDraft } from "@/features/chat/chat-memory";
import { ChatTabs } from "@/features/chat/chat-tabs";
import { Composer } from "@/features/chat/composer";
import type { ChatMessage, Quote } from "@/features/chat/events";
import { MessageMenu } from "@/features/chat/message-menu";
import { People } from "@/features/chat/people";
import { RemoveMessage } from "@/features/chat/remove-message";
import { ReportModal } from "@/features/chat/report-modal";
import { RoomView } from "@/features/chat/room-view";
import { skippedAfter } from "@/features/chat/skipped";
import { SkippedAnnouncer } from "@/features/chat/skipped-row";
import { type Chat, canChat, useChat } from "@/features/chat/use-chat";
import { useChatStatus } from "@/features/chat/use-chat-status";
import { useFilledScreen } from "@/features/chat/use-filled-screen";
import { formatMoment } from "@/lib/format/dates";
import { displayName } from "@/lib/format/names";
import { useMember } from "@/lib/session/session";

/**
 * The chats of a member and club; after a sign-in in another tab, or a change of club, new ones.
 */
export default function ChatsScreen() {
  const member = useMember();
  return canChat(member) ? (
    <ChatRooms key={`${member.id} ${member.club}`} />
  ) : (
    <EmptyState icon={MessageCircle} title="Your account is not complete">
      The chat needs your club and your last name. Sign out and in again to load them.
    </EmptyState>
  );
}

/** Both rooms as tabs: the messages, the draft, and the members online. */
function ChatRooms() {
  const { id, club } = useMember();
  const chat = useChat();
  const [chosen, setChosen] = useState<ChatMessage | null>(null);
  const [reported, setReported] = useState<ChatMessage | null>(null);
  const [removed, setRemoved] = useState<ChatMessage | null>(null);
  const closeMenu = useCallback(() => setChosen(null), []);
  const closeReport = useCallback(() => setReported(null), []);
  const closeRemoval = useCallback(() => setRemoved(null), []);
  useFilledScreen();
  useChatStatus(chat);
  const { tab, members, counts } = chat.state;
  const name = chat.names[tab];
  const answer = (message: ChatMessage) =>
    changeDraft(id, club, tab, { replyTo: quoteOf(message) });
  if (chat.state.link === "banned") {
    return <ClosedToMember until={chat.state.bannedUntil} />;
  }
  return (
    <div className="chat">
      <p className="chat-intro small muted">Communicate with your club and also with others</p>
      <div className="chat-frame">
        <section className="chat" aria-label="Chat">
          <ChatTabs chat={chat} />
          <div className="chat-panel" {...tabPanel("chat", tab)}>
            <RoomView key={tab} chat={chat} onMenu={setChosen} />
            <Composer
              key={`${tab}-composer`}
              tab={tab}
              name={name}
              room={tab === "club" ? club : PUBLIC_ROOM}
              state={chat.state.rooms[tab]}
              onSend={chat.send}
            />
          </div>
        </section>
        <People name={name} members={members[tab]} count={counts[tab]} memberId={id} />
      </div>
      <Announcer chat={chat} />
      <SkippedAnnouncer
        key={`${tab}-skipped`}
        count={skippedAfter(chat.state.rooms[tab].skipped, 0)}
      />
      {chosen ? (
        <MessageMenu
          message={chosen}
          isMine={chosen.userId === id}
          onReply={() => answer(chosen)}
          onReact={(key) => chat.react(chosen, key)}
          onRemove={() => setRemoved(chosen)}
          onReport={() => setReported(chosen)}
          onClose={closeMenu}
        />
      ) : null}
      {reported ? <ReportModal message={reported} onClose={closeReport} /> : null}
      {removed ? (
        <RemoveMessage
          message={removed}
          onRemove={() => {
            closeRemoval();
            chat.remove(removed);
          }}
          onClose={closeRemoval}
        />
      ) : null}
    </div>
  );
}

/** A message as quoted by a reply. */
function quoteOf({ id, userId, lastName, firstName, text }: ChatMessage): Quote {
  const excerpt = Array.from(text).slice(0, CHAT_MAX_LENGTHS.excerpt).join("");
  return { id, userId, lastName, firstName, excerpt };
}

/** A ban by a moderator: until when, without any request. */
function ClosedToMember({ until }: { until: string | null }) {
  return (
    <div className="chat" role="status">
      <div className="chat-face">
        <EmptyState icon={DoorClosed} title="You cannot use the chat for now">
          A moderator has blocked you from the chat until{" "}
          {until === null ? "further notice" : <time dateTime={until}>{formatMoment(until)}</time>}.
          Everything else is still open to you.
        </EmptyState>
      </div>
    </div>
  );
}

/** Announces the newest message of the open room; older loaded messages are never announced. */
function Announcer({ chat }: { chat: Chat }) {
  const { arrival, tab } = chat.state;
  const isHere = arrival?.tab === tab;
  return (
    <p className="visually-hidden" role="status">
      {isHere
        ? `${displayName(arrival.message.lastName, arrival.message.firstName)}: ${arrival.message.text}`
        : ""}
    </p>
  );
}
