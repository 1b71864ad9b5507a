import { NavLink } from "react-router-dom";
import { bottomItems } from "@/app/shell/menu-items";
import { UnreadBadge, unreadLabel, useUnread } from "@/app/shell/unread-badge";
import { paths } from "@/lib/format/paths";

/** The phone's bar of five screens. */
export function BottomBar() {
  const unreadAt = useUnread();
  return (
    <nav className="bottom-bar" aria-label="Shortcuts">
      <ul>
        {bottomItems.map(({ title, path, icon: Icon }) => (
          <li key={path}>
            <NavLink
              to={path}
              end={path === paths.home}
              aria-label={unreadLabel(title, unreadAt(path))}
            >
              <Icon aria-hidden="true" />
              {title}
              <UnreadBadge unread={unreadAt(path)} />
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
