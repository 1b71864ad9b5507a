import { useQuery } from "@tanstack/react-query";
import { chatUnreadQuery, unreadText } from "@/api/chat-unread";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";

/** The number of chat messages that wait, by the address of the screen that shows them. */
export function useUnread(): (path: string) => string | null {
  const { id } = useMember();
  const { data } = useQuery(chatUnreadQuery(id));
  const chats = data ? unreadText(data) : null;
  return (path) => (path === paths.chats ? chats : null);
}

/** What a link with a badge is called, so that the number has a meaning; undefined without one. */
export function unreadLabel(title: string, unread: string | null): string | undefined {
  return unread === null ? undefined : `${title}, ${unread} unread`;
}

/** The number itself, beside the title or on the icon. */
export function UnreadBadge({ unread }: { unread: string | null }) {
  return unread === null ? null : (
    <span className="cart-count" aria-hidden="true">
      {unread}
    </span>
  );
}
