import "@/features/home/coming-soon.css";
import { Check } from "lucide-react";
import { useLayoutEffect } from "react";
import { Link, useLocation } from "react-router-dom";
import { buttonClasses } from "@/components/button";
import { comingScreens } from "@/features/home/coming";
import { hasOperatorSession, officePath } from "@/lib/device/operator-tab";
import { paths } from "@/lib/format/paths";
import { leaveTo } from "@/lib/ui/navigation";

/** An address without a screen yet; an operator's tab continues to the back office. */
export default function ComingScreen() {
  const { pathname } = useLocation();
  const path = pathname.replace(/\/+$/, "");
  const office = hasOperatorSession() ? officePath(path) : null;
  useLayoutEffect(() => {
    if (office !== null) {
      leaveTo(office);
    }
  }, [office]);
  return office === null ? <ComingSoon path={path} /> : null;
}

/** Says that a screen is not open yet, and what it will offer. */
function ComingSoon({ path }: { path: string }) {
  const screen = comingScreens[path];
  if (screen === undefined) {
    return null;
  }
  const Icon = screen.icon;
  return (
    <section className="card coming" aria-labelledby="coming-title">
      <div className="coming-picture">
        <Icon aria-hidden="true" />
      </div>
      <div className="coming-text">
        <p className="coming-sign">In the tunnel, not on the pitch yet</p>
        <h2 id="coming-title">{screen.line}</h2>
        <p className="muted">This part is being built. When it opens you will find here:</p>
        <ul>
          {screen.plans.map((plan) => (
            <li key={plan}>
              <Check aria-hidden="true" />
              {plan}
            </li>
          ))}
        </ul>
        <Link className={buttonClasses("secondary")} to={paths.home}>
          Back to the Dashboard
        </Link>
      </div>
    </section>
  );
}
