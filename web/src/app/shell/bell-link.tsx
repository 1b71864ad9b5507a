import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { Link } from "react-router-dom";
import { unreadNotificationsQuery } from "@/api/unread-notifications";
import { UnreadBadge, unreadLabel } from "@/app/shell/unread-badge";
import { badgeCount } from "@/lib/format/counts";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";

const TITLE = "Notifications";

/** The link to the notifications, with the number of unread ones. */
export function BellLink() {
  const { data: unread = 0 } = useQuery(unreadNotificationsQuery(useMember().id));
  const shown = unread > 0 ? badgeCount(unread) : null;
  return (
    <Link
      className="icon-button cart-link"
      to={paths.notifications}
      aria-label={unreadLabel(TITLE, shown) ?? TITLE}
    >
      <Bell aria-hidden="true" />
      <UnreadBadge unread={shown} />
    </Link>
  );
}
