import { NavLink } from "react-router-dom";
import { bottomItems } from "@/app/shell/menu-items";
import { UnreadBadge } from "@/app/shell/unread-badge";
import { paths } from "@/lib/paths";

/** The phone's bar of five screens. */
export function BottomBar() {
  return (
    <nav className="bottom-bar" aria-label="Shortcuts">
      <ul>
        {bottomItems.map(({ title, path, icon: Icon }) => (
          <li key={path}>
            <NavLink to={path} end={path === paths.home}>
              <Icon aria-hidden="true" />
              {title}
              {path === paths.chats ? <UnreadBadge place="icon" /> : null}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
