import "@/features/legal/terms.css";
import { Button } from "@/components/button";
import { LegalLinks } from "@/features/legal/legal-links";

/** Tells that there is a new version, above the content, which it does not move. */
export function NewTermsNotice({ onClose }: { onClose: () => void }) {
  return (
    <section className="terms-notice" aria-label="New terms">
      <p role="status">Our terms have changed.</p>
      <LegalLinks />
      <Button variant="secondary" onClick={onClose}>
        OK
      </Button>
    </section>
  );
}
