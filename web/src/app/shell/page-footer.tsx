import { ExternalLink } from "lucide-react";
import { publicPages } from "@/lib/format/public-pages";

/** Links to the public site's legal pages, each in a new tab. */
export function PageFooter() {
  return (
    <footer className="page-footer">
      <ul>
        {publicPages.map((page) => (
          <li key={page.title}>
            <a href={page.address} target="_blank" rel="noreferrer">
              {page.title}
              <ExternalLink aria-hidden="true" />
            </a>
          </li>
        ))}
      </ul>
    </footer>
  );
}
