import { Menu } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { matchPath, Outlet, useLocation, useNavigationType } from "react-router-dom";
import { OpeningBar } from "@/app/opening-bar";
import { ScreenBoundary } from "@/app/screen-boundary";
import { OfflineBanner } from "@/app/shell/offline-banner";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { usePageTitle } from "@/lib/use-page-title";
import { mayDo, useOperator } from "~/api/operator";
import { useAnswer } from "~/api/queries";
import { LedgerBar } from "~/app/ledger-bar";
import { MainMenu } from "~/app/main-menu";
import { NotFound } from "~/app/not-found";
import { screens } from "~/app/screens";
import { SessionNotice } from "~/app/session-notice";

/** How often it is asked what waits; asking does not count as use. */
const ASK_EVERY_MS = 60_000;

/** The frame around every screen: menu, header, what concerns everybody, the screen. */
export function Shell() {
  const [menuOpen, setMenuOpen] = useState(false);
  const operator = useOperator();
  const { pathname } = useLocation();
  const today = useAnswer("GET /api/v1/admin/today", {}, { everyMs: ASK_EVERY_MS });
  const screen = screens.find(({ path }) => matchPath(path, pathname));
  const isOpen = screen !== undefined && mayDo(operator, screen.call);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what closes the drawer
  useEffect(() => setMenuOpen(false), [pathname]);
  if (!isOpen) {
    return <NotFound />;
  }
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <OpeningBar />
      <div className="shell">
        <MainMenu
          open={menuOpen}
          waiting={today.data?.waiting ?? {}}
          onClose={() => setMenuOpen(false)}
        />
        <div className="shell-column">
          <Header title={screen.title} menuOpen={menuOpen} onOpenMenu={() => setMenuOpen(true)} />
          <OfflineBanner />
          <LedgerBar ledger={today.data?.ledger ?? null} />
          <SessionNotice />
          <main id="content" className="page" tabIndex={-1}>
            <Suspense fallback={<ScreenSkeleton />}>
              <ScreenBoundary key={pathname}>
                <Outlet />
              </ScreenBoundary>
            </Suspense>
          </main>
        </div>
      </div>
    </>
  );
}

interface HeaderProps {
  title: string;
  menuOpen: boolean;
  onOpenMenu: () => void;
}

function Header({ title, menuOpen, onOpenMenu }: HeaderProps) {
  const operator = useOperator();
  const heading = useScreenHeading(title);
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
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className="operator-name small">
          {operator.name}
          <span className="muted"> {operator.roles.join(", ")}</span>
        </p>
      </div>
      <div className="hoop" aria-hidden="true" />
    </header>
  );
}

/** Name the tab, and take a keyboard or screen reader to the heading of every new screen. */
function useScreenHeading(title: string) {
  const { pathname } = useLocation();
  const arrivedBy = useNavigationType();
  const heading = useRef<HTMLHeadingElement>(null);
  const firstPath = useRef(pathname);
  usePageTitle(`${title} · Back office`);
  useEffect(() => {
    if (firstPath.current === pathname) {
      return;
    }
    firstPath.current = "";
    heading.current?.focus({ preventScroll: true });
    if (arrivedBy !== "POP") {
      window.scrollTo(0, 0);
    }
  }, [pathname, arrivedBy]);
  return heading;
}
