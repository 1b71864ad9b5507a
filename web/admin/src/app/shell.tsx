import { Suspense, useEffect, useState } from "react";
import { matchPath, Outlet, useLocation } from "react-router-dom";
import { OpeningBar } from "@/app/opening-bar";
import { ScreenBoundary } from "@/app/screen-boundary";
import { PageBar } from "@/components/page-bar";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { StatusArea } from "@/components/status-area";
import { usePageTitle } from "@/lib/ui/use-page-title";
import type { ResponseOf } from "~/api/calls";
import { mayDo, useOperator } from "~/api/operator";
import { useAnswer } from "~/api/queries";
import { LedgerBar } from "~/app/ledger-bar";
import { MainMenu } from "~/app/main-menu";
import { NOTHING_HERE, NotFound } from "~/app/not-found";
import { screens } from "~/app/screens";
import { SessionNotice } from "~/app/session-notice";
import { SearchField } from "~/parts/search-field";

/** How often pending items are polled; polling does not extend the session. */
const POLL_INTERVAL_MS = 60_000;

/** The number of pending items by name, with the bank's included. */
function countsOf({
  waiting,
  bank,
}: ResponseOf<"GET /api/v1/admin/today">): Record<string, number> {
  return { ...waiting, bankLines: bank?.lines ?? 0, bankTransfers: bank?.transfers ?? 0 };
}

/** The frame of every screen: menu, header, global banners and content. */
export function Shell() {
  const [menuOpen, setMenuOpen] = useState(false);
  const operator = useOperator();
  const { pathname } = useLocation();
  const today = useAnswer("GET /api/v1/admin/today", {}, { everyMs: POLL_INTERVAL_MS });
  const screen = screens.find(({ path }) => matchPath(path, pathname));
  const isOpen = screen !== undefined && mayDo(operator, screen.call);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what closes the drawer
  useEffect(() => setMenuOpen(false), [pathname]);
  usePageTitle(isOpen ? `${screen.title} · Back office` : NOTHING_HERE);
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
          waiting={today.data === undefined ? {} : countsOf(today.data)}
          onClose={() => setMenuOpen(false)}
        />
        <div className="shell-column">
          <PageBar title={screen.title} menuOpen={menuOpen} onOpenMenu={() => setMenuOpen(true)}>
            <SearchField />
            <p className="operator-name small">{operator.name}</p>
          </PageBar>
          <StatusArea />
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
