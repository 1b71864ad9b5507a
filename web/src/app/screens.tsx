import { Suspense } from "react";
import { matchPath, Route, Routes, useLocation } from "react-router-dom";
import { lazyScreen } from "@/app/lazy-screen";
import { RouteGuard } from "@/app/route-guard";
import { publicScreens, shellScreenAt, shellScreens } from "@/app/routes";
import { ScreenBoundary } from "@/app/screen-boundary";
import { Splash } from "@/components/splash";

const MOMENT_MS = 150;
const NotFound = lazyScreen(() => import("@/app/not-found"), <Splash />);
const Shell = lazyScreen(() => import("@/app/shell/member-shell"), <Splash />);

/** The route table as screens: public ones, the guarded shell, and everything else. */
export function Screens() {
  const { pathname } = useLocation();
  const isPublic = publicScreens.some(({ path }) => path === pathname);
  return (
    <Suspense fallback={<Splash />}>
      <ScreenBoundary key={isPublic ? pathname : "shell"}>
        <Routes>
          {publicScreens.map(({ path, page: Page }) => (
            <Route key={path} path={path} element={<Page />} />
          ))}
          <Route
            element={
              <RouteGuard>
                <Shell />
              </RouteGuard>
            }
          >
            {shellScreens.map(({ path, page: Page }) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
          </Route>
          <Route path="*" element={<NotFound />} />
        </Routes>
      </ScreenBoundary>
    </Suspense>
  );
}

/**
 * Fetch the scripts of an address: a member's screen in parallel with its shell.
 *
 * Waits up to three seconds for the shell, and slightly longer for its screen, whose place a
 * skeleton holds.
 */
export async function preloadScreen(pathname: string, isMember: boolean): Promise<void> {
  const opened = publicScreens.find(({ path }) => matchPath(path, pathname) !== null);
  if (opened !== undefined || !isMember) {
    await opened?.page.preload?.();
    return;
  }
  const screen = shellScreenAt(pathname)?.page;
  void screen?.preload();
  await Shell.preload();
  await screen?.preload(MOMENT_MS);
}
