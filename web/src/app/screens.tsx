import { lazy, Suspense } from "react";
import { Route, Routes } from "react-router-dom";
import { RouteGuard } from "@/app/route-guard";
import { publicScreens, shellScreens } from "@/app/routes";
import { Splash } from "@/components/splash";

const NotFound = lazy(() => import("@/app/not-found"));
const Shell = lazy(() => import("@/app/shell/shell"));

/** The route table as screens: public ones, the guarded shell, and everything else. */
export function Screens() {
  return (
    <Suspense fallback={<Splash />}>
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
    </Suspense>
  );
}
