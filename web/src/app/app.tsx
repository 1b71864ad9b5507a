import { BrowserRouter } from "react-router-dom";
import { ScreenBoundary } from "@/app/screen-boundary";
import { ScreenToasts } from "@/app/screen-toasts";
import { Screens } from "@/app/screens";

/** The whole app: the router and its screens. */
export function App() {
  return (
    <ScreenBoundary>
      <BrowserRouter>
        <Screens />
        <ScreenToasts />
      </BrowserRouter>
    </ScreenBoundary>
  );
}
