import { LogOut, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Link, NavLink } from "react-router-dom";
import { signOut } from "@/api/sign-out";
import { menuGroups } from "@/app/shell/menu-items";
import { UnreadBadge, unreadLabel, useUnread } from "@/app/shell/unread-badge";
import { Wordmark } from "@/components/brand-mark";
import { ThemeSwitch } from "@/components/theme-switch";
import { paths } from "@/lib/paths";

interface SideMenuProps {
  /** Whether the drawer is out; from 900 px on the menu always shows. */
  open: boolean;
  onClose: () => void;
}

/** The groups of screens; on small ones a drawer that keeps the focus and closes with Escape. */
export function SideMenu({ open, onClose }: SideMenuProps) {
  const menu = useRef<HTMLElement>(null);
  useDrawerFocus(menu, open);
  const onKeyDown = (event: KeyboardEvent) => {
    if (open && event.key === "Escape") {
      onClose();
    }
    if (open && event.key === "Tab") {
      keepFocusInside(event, menu.current);
    }
  };
  return (
    <>
      {open ? (
        <button
          type="button"
          className="menu-shade"
          aria-label="Close the menu"
          tabIndex={-1}
          onClick={onClose}
        />
      ) : null}
      <nav
        ref={menu}
        id="side-menu"
        className={open ? "side-menu is-open" : "side-menu"}
        aria-label="Main menu"
        onKeyDown={onKeyDown}
      >
        <div className="menu-brand">
          <Link to={paths.home} aria-label="King of Fans" onClick={onClose}>
            <Wordmark />
          </Link>
          <button type="button" className="icon-button" aria-label="Close menu" onClick={onClose}>
            <X aria-hidden="true" />
          </button>
        </div>
        <MenuGroups onChosen={onClose} />
        <ThemeSwitch />
      </nav>
    </>
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

function useDrawerFocus(menu: React.RefObject<HTMLElement | null>, open: boolean): void {
  useEffect(() => {
    if (!open) {
      return;
    }
    const opener = document.activeElement;
    menu.current?.querySelector<HTMLElement>(".menu-brand button")?.focus();
    return () => {
      if (opener instanceof HTMLElement && menu.current?.contains(document.activeElement)) {
        opener.focus();
      }
    };
  }, [menu, open]);
}

function keepFocusInside(event: KeyboardEvent, menu: HTMLElement | null): void {
  const stops = Array.from(menu?.querySelectorAll<HTMLElement>("a[href], button, input") ?? []);
  const first = stops[0];
  const last = stops.at(-1);
  if (event.shiftKey && document.activeElement === first) {
    event.preventDefault();
    last?.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first?.focus();
  }
}
