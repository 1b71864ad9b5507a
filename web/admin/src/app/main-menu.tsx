import { LogOut } from "lucide-react";
import { Link, NavLink } from "react-router-dom";
import { Wordmark } from "@/components/brand-mark";
import { MenuDrawer } from "@/components/menu-drawer";
import { ThemeSwitch } from "@/components/theme-switch";
import { badgeCount } from "@/lib/format/counts";
import { leaveBy } from "@/lib/ui/use-leave-guard";
import { perform } from "~/api/client";
import { mayDo, useOperator } from "~/api/operator";
import { MENU_GROUPS, type Screen, screens } from "~/app/screens";
import { leaveSession } from "~/lib/operator-session";

interface MainMenuProps {
  open: boolean;
  /** The number of pending items by name. */
  waiting: Record<string, number>;
  onClose: () => void;
}

/** The screens that the operator may open, each with its number of pending items. */
export function MainMenu({ open, waiting, onClose }: MainMenuProps) {
  const operator = useOperator();
  const shown = screens.filter(({ menu, call }) => menu !== undefined && mayDo(operator, call));
  return (
    <MenuDrawer
      open={open}
      onClose={onClose}
      brand={
        <Link to="/" aria-label="Back office" onClick={onClose}>
          <Wordmark />
        </Link>
      }
    >
      <div className="menu-groups">
        {MENU_GROUPS.map((group) => (
          <MenuGroup
            key={group}
            title={group}
            items={shown.filter(({ menu }) => menu?.group === group)}
            waiting={waiting}
            onChosen={onClose}
          />
        ))}
      </div>
      <div className="menu-access">
        <button type="button" className="menu-item" onClick={() => leaveBy(signOut)}>
          <LogOut aria-hidden="true" />
          Sign out
        </button>
      </div>
      <ThemeSwitch />
    </MenuDrawer>
  );
}

interface MenuGroupProps {
  title: string;
  items: Screen[];
  waiting: Record<string, number>;
  onChosen: () => void;
}

function MenuGroup({ title, items, waiting, onChosen }: MenuGroupProps) {
  if (items.length === 0) {
    return null;
  }
  return (
    <div className="menu-group">
      <h2>{title}</h2>
      <ul>
        {items.map((screen) => (
          <li key={screen.path}>
            <MenuLink
              screen={screen}
              count={(screen.menu?.waiting ?? []).reduce(
                (sum, name) => sum + (waiting[name] ?? 0),
                0,
              )}
              onChosen={onChosen}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function MenuLink({
  screen: { path, title, menu },
  count,
  onChosen,
}: {
  screen: Screen;
  count: number;
  onChosen: () => void;
}) {
  const Icon = menu?.icon;
  return (
    <NavLink className="menu-item" to={path} end={path === "/"} onClick={onChosen}>
      {Icon === undefined ? null : <Icon aria-hidden="true" />}
      {title}
      {count === 0 ? null : (
        <span className="cart-count">
          {badgeCount(count)}
          <span className="visually-hidden"> waiting</span>
        </span>
      )}
    </NavLink>
  );
}

/** End the session: in this tab at once, on the server if it can be reached. */
function signOut(): void {
  void perform("POST /api/v1/admin/sign-out").catch(() => undefined);
  leaveSession();
}
