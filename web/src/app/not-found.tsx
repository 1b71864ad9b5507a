import { Link } from "react-router-dom";
import { BrandMark } from "@/components/brand-mark";
import { buttonClasses } from "@/components/button";
import { paths } from "@/lib/format/paths";
import { usePageTitle } from "@/lib/ui/use-page-title";

/** Any address that is not in the route table. */
export default function NotFound() {
  usePageTitle("URL not found!");
  return (
    <main className="full-message">
      <BrandMark size={72} />
      <h1>URL not found!</h1>
      <p className="muted">That ball went over the bar. There is no page at this address.</p>
      <Link className={buttonClasses()} to={paths.home}>
        Back to the Dashboard
      </Link>
    </main>
  );
}
