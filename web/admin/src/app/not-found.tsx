import { BrandMark } from "@/components/brand-mark";
import { usePageTitle } from "@/lib/use-page-title";

/** An address that nothing is at; to whoever is no operator, every address of the back office. */
export function NotFound() {
  usePageTitle("URL not found!");
  return (
    <main id="content" className="full-message">
      <BrandMark size={72} />
      <h1>URL not found!</h1>
      <p className="muted">That ball went over the bar. There is no page at this address.</p>
      <a href="/">Back to the Dashboard</a>
    </main>
  );
}
