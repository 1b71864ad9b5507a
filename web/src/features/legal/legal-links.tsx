import { ExternalLink } from "lucide-react";
import { publicPages } from "@/lib/format/public-pages";

/** The legal pages, each in a new tab. */
export function LegalLinks() {
  return (
    <ul className="terms-links">
      {publicPages.map(({ title, address }) => (
        <li key={title}>
          <a href={address} target="_blank" rel="noreferrer">
            {title}
            <ExternalLink aria-hidden="true" />
          </a>
        </li>
      ))}
    </ul>
  );
}
