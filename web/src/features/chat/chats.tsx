import "@/features/chat/answers.css";
import "@/features/chat/chat.css";
import { MessageCircle } from "lucide-react";
import { EmptyState } from "@/components/empty-state";
import { ChatScreen } from "@/features/chat/chat-screen";
import { canChat } from "@/features/chat/use-chat";
import { useMember } from "@/lib/session";

/**
 * The chats of a member and club; after a sign-in in another tab, or a change of club, new ones.
 */
export function Chats() {
  const member = useMember();
  return canChat(member) ? (
    <ChatScreen key={`${member.id} ${member.club}`} />
  ) : (
    <EmptyState icon={MessageCircle} title="Your account is not complete">
      The chat needs your club and your last name. Sign out and in again to load them.
    </EmptyState>
  );
}
