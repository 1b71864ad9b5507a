import { useQuery } from "@tanstack/react-query";
import { chatUnreadQuery, unreadText } from "@/api/chat-unread";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";

/** The number of unread chat messages, by the address of the screen that shows them. */
export function useUnread(): (path: string) => string | null {
  const { id } = useMember();
  const { data } = useQuery(chatUnreadQuery(id));
  const chats = data ? unreadText(data) : null;
  return (path) => (path === paths.chats ? chats : null);
}

/** A link's accessible name with its badge's number; undefined without one. */
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
