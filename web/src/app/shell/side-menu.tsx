import { LogOut } from "lucide-react";
import type { ReactNode } from "react";
import { Link, NavLink } from "react-router-dom";
import { signOut } from "@/api/sign-out";
import { accessGroup, type MenuGroup, menuGroups } from "@/app/shell/menu-items";
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
      <div className="menu-groups">
        {menuGroups.map((group) => (
          <Group key={group.title} group={group} onChosen={onClose} />
        ))}
      </div>
      <div className="menu-access">
        <Group group={accessGroup} onChosen={onClose}>
          <Logout />
        </Group>
      </div>
      <ThemeSwitch />
    </MenuDrawer>
  );
}

interface GroupProps {
  group: MenuGroup;
  onChosen: () => void;
  children?: ReactNode;
}

function Group({ group, onChosen, children }: GroupProps) {
  const unreadAt = useUnread();
  return (
    <div className="menu-group">
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
        {children}
      </ul>
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
