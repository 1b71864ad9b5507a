import { BrandMark } from "@/components/brand-mark";
import { usePageTitle } from "@/lib/ui/use-page-title";

export const NOTHING_HERE = "URL not found!";

/** An unknown address; to anyone but operators, every address of the back office. */
export function NotFound() {
  usePageTitle(NOTHING_HERE);
  return (
    <main id="content" className="full-message">
      <BrandMark size={72} />
      <h1>{NOTHING_HERE}</h1>
      <p className="muted">That ball went over the bar. There is no page at this address.</p>
      <a href="/">Back to the Dashboard</a>
    </main>
  );
}
