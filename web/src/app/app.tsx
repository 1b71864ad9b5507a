import { AppRouter } from "@/app/app-router";
import { ScreenBoundary } from "@/app/screen-boundary";
import { ScreenToasts } from "@/app/screen-toasts";
import { Screens } from "@/app/screens";

/** The whole app: the router and its screens. */
export function App() {
  return (
    <ScreenBoundary>
      <AppRouter>
        <Screens />
        <ScreenToasts />
      </AppRouter>
    </ScreenBoundary>
  );
}
