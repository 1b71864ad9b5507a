import { LogOut } from "lucide-react";
import { Link, NavLink } from "react-router-dom";
import { signOut } from "@/api/sign-out";
import { menuGroups } from "@/app/shell/menu-items";
import { UnreadBadge, unreadLabel, useUnread } from "@/app/shell/unread-badge";
import { Wordmark } from "@/components/brand-mark";
import { MenuDrawer } from "@/components/menu-drawer";
import { ThemeSwitch } from "@/components/theme-switch";
import { paths } from "@/lib/format/paths";

interface SideMenuProps {
  open: boolean;
  onClose: () => void;
}

/** The groups of screens, the appearance, and the logout. */
export function SideMenu({ open, onClose }: SideMenuProps) {
  return (
    <MenuDrawer
      open={open}
      onClose={onClose}
      brand={
        <Link to={paths.home} aria-label="King of Fans" onClick={onClose}>
          <Wordmark />
        </Link>
      }
    >
      <MenuGroups onChosen={onClose} />
      <ThemeSwitch />
    </MenuDrawer>
  );
}

function MenuGroups({ onChosen }: { onChosen: () => void }) {
  const unreadAt = useUnread();
  return (
    <div className="menu-groups">
      {menuGroups.map((group) => (
        <div key={group.title} className="menu-group">
          <h2>{group.title}</h2>
          <ul>
            {group.items.map(({ title, path, icon: Icon }) => (
              <li key={path}>
                <NavLink
                  className="menu-item"
                  to={path}
                  end={path === paths.home}
                  aria-label={unreadLabel(title, unreadAt(path))}
                  onClick={onChosen}
                >
                  <Icon aria-hidden="true" />
                  {title}
                  <UnreadBadge unread={unreadAt(path)} />
                </NavLink>
              </li>
            ))}
            {group === menuGroups.at(-1) ? <Logout /> : null}
          </ul>
        </div>
      ))}
    </div>
  );
}

function Logout() {
  return (
    <li>
      <button type="button" className="menu-item" onClick={signOut}>
        <LogOut aria-hidden="true" />
        Logout
      </button>
    </li>
  );
}
