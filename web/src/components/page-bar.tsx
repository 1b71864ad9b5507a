import { Menu } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/** Characters; a longer title is set smaller on a phone. */
const MAX_LARGE_TITLE = 18;

interface PageBarProps {
  title: string;
  menuOpen: boolean;
  onOpenMenu: () => void;
  /** Content at the end of the bar. */
  children: ReactNode;
}

/** The hamburger, the screen's title and permanent actions; below them the two-colour hoop. */
export function PageBar({ title, menuOpen, onOpenMenu, children }: PageBarProps) {
  const heading = useHeadingFocus();
  return (
    <header className="page-header">
      <div className="page-header-row">
        <button
          type="button"
          className="icon-button menu-toggle"
          aria-label="Open menu"
          aria-expanded={menuOpen}
          aria-controls="side-menu"
          onClick={onOpenMenu}
        >
          <Menu aria-hidden="true" />
        </button>
        <h1
          ref={heading}
          tabIndex={-1}
          className={title.length > MAX_LARGE_TITLE ? "is-long" : undefined}
        >
          {title}
        </h1>
        {children}
      </div>
      <div className="hoop" aria-hidden="true" />
    </header>
  );
}

/**
 * Focus the heading of every new screen, and of the first one if it was navigated to, such as after
 * signing in. An address that was opened directly keeps the browser's start.
 */
function useHeadingFocus() {
  const { pathname } = useLocation();
  const arrivedBy = useNavigationType();
  const heading = useRef<HTMLHeadingElement>(null);
  const shownPath = useRef(arrivedBy === "POP" ? pathname : null);
  useEffect(() => {
    if (shownPath.current === pathname) {
      return;
    }
    shownPath.current = pathname;
    heading.current?.focus({ preventScroll: true });
    if (arrivedBy !== "POP") {
      window.scrollTo(0, 0);
    }
  }, [pathname, arrivedBy]);
  return heading;
}
