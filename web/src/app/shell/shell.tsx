import "@/styles/shell-and-screens.css";
import { Suspense, useEffect, useState } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { OpeningBar } from "@/app/opening-bar";
import { shellScreenAt } from "@/app/routes";
import { ScreenBoundary } from "@/app/screen-boundary";
import { BottomBar } from "@/app/shell/bottom-bar";
import { NewTerms } from "@/app/shell/new-terms";
import { NewVersionNote } from "@/app/shell/new-version-note";
import { PageFooter } from "@/app/shell/page-footer";
import { PageHeader } from "@/app/shell/page-header";
import { SideMenu } from "@/app/shell/side-menu";
import { useClubColours } from "@/app/shell/use-club-colours";
import { useFollowedMember } from "@/app/shell/use-followed-member";
import { useLiveNotifications } from "@/app/shell/use-live-notifications";
import { useLiveUnread } from "@/app/shell/use-live-unread";
import { usePaymentChannel } from "@/app/shell/use-payment-channel";
import { usePreloadedTabs } from "@/app/shell/use-preloaded-tabs";
import { usePush } from "@/app/shell/use-push";
import { useWorker } from "@/app/shell/use-worker";
import { StatusArea } from "@/components/status-area";
import { CartProvider } from "@/features/shop/cart-context";

/** The frame of every member's screen: menu, header with the club's hoop, content, footer. */
export function Shell() {
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
  const screen = shellScreenAt(pathname);
  useClubColours();
  useFollowedMember();
  usePreloadedTabs();
  usePaymentChannel();
  useLiveUnread();
  useLiveNotifications();
  useWorker();
  usePush();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what closes the drawer
  useEffect(() => setMenuOpen(false), [pathname]);
  return (
    <CartProvider>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <OpeningBar />
      <div className="shell">
        <SideMenu open={menuOpen} onClose={() => setMenuOpen(false)} />
        <div className="shell-column">
          <PageHeader menuOpen={menuOpen} onOpenMenu={() => setMenuOpen(true)} />
          <StatusArea reserved={screen?.isTimed === true}>
            <NewVersionNote />
          </StatusArea>
          <main id="content" className="page" tabIndex={-1}>
            <Suspense fallback={screen?.page.waiting}>
              <ScreenBoundary key={pathname}>
                <Outlet />
              </ScreenBoundary>
            </Suspense>
          </main>
          <PageFooter />
          <NewTerms />
        </div>
        <BottomBar />
      </div>
    </CartProvider>
  );
}
