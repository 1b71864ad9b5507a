import "@/app/not-found.css";
import { Link } from "react-router-dom";
import { BrandMark, Wordmark } from "@/components/brand-mark";
import { buttonClasses } from "@/components/button";
import { paths } from "@/lib/format/paths";
import { useSession } from "@/lib/session/session";
import { usePageTitle } from "@/lib/ui/use-page-title";

/** Any address that is not in the route table; it looks like the public pages. */
export default function NotFound() {
  usePageTitle("URL not found!");
  const isMember = useSession() !== null;
  return (
    <div className="not-found">
      <header className="not-found-top">
        <Wordmark />
        {isMember ? null : (
          <Link className="text-link" to={paths.signIn}>
            Sign in
          </Link>
        )}
      </header>
      <main className="not-found-hero">
        <Slants side="left" />
        <Slants side="right" />
        <BrandMark size={72} />
        <h1>URL not found!</h1>
        <p>This page does not exist, or is no longer public.</p>
        <div className="not-found-ways">
          {isMember ? (
            <Link className={buttonClasses("accent", true)} to={paths.home}>
              Back to the Dashboard
            </Link>
          ) : (
            <>
              <a className={buttonClasses("accent", true)} href="/welcome">
                See what's on
              </a>
              <Link
                className={`${buttonClasses("secondary", true)} not-found-second`}
                to={paths.signIn}
              >
                Sign in
              </Link>
            </>
          )}
        </div>
      </main>
    </div>
  );
}

function Slants({ side }: { side: "left" | "right" }) {
  return (
    <svg
      className={`not-found-slants not-found-${side}`}
      viewBox="0 0 250 630"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="not-found-beside" d="M0 0h210L90 630H0z" />
      <path className="not-found-stripe" d="M210 0h40L130 630H90z" />
    </svg>
  );
}
