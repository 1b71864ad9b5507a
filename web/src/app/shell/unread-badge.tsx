import { useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { chatUnreadQuery, unreadText } from "@/api/chat-unread";
import { useMember } from "@/lib/session";

const IN_MENU: CSSProperties = { position: "static", marginInlineStart: "auto" };
const ON_ICON: CSSProperties = { top: 4, right: "auto", left: "calc(50% + 4px)" };

/** How many chat messages wait, beside or on the word "Chats"; nothing when none do. */
export function UnreadBadge({ place }: { place: "menu" | "icon" }) {
  const { id } = useMember();
  const { data } = useQuery(chatUnreadQuery(id));
  const text = data ? unreadText(data) : null;
  if (text === null) {
    return null;
  }
  return (
    <>
      <span className="visually-hidden">, {text} unread</span>
      <span className="cart-count" style={place === "menu" ? IN_MENU : ON_ICON} aria-hidden="true">
        {text}
      </span>
    </>
  );
}
