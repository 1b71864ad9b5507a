import { type ReactNode, useEffect } from "react";
import { Wordmark } from "@/components/brand-mark";
import { publicPages } from "@/lib/format/public-pages";
import { usePageTitle } from "@/lib/ui/use-page-title";

interface AuthLayoutProps {
  title: string;
  /** Above the title. */
  emblem?: ReactNode;
  children: ReactNode;
}

/** The layout of the public screens: the stand on one side, the form on the other. */
export function AuthLayout({ title, emblem, children }: AuthLayoutProps) {
  usePageTitle(title);
  // A long form leaves the window scrolled; the next screen starts at its top.
  useEffect(() => {
    window.scrollTo(0, 0); // newer browsers return a promise, which an effect must not
  }, []);
  return (
    <div className="auth">
      <header className="auth-stand">
        <div className="auth-stand-text">
          <div className="auth-top">
            <Wordmark />
            <a className="text-link" href="/welcome">
              See what's on
            </a>
          </div>
          <p className="auth-tagline">Get Connected Get Rewarded</p>
        </div>
        <div className="auth-scarf" aria-hidden="true" />
      </header>
      <main className="auth-main">
        <div className="auth-form">
          {emblem}
          <h1>{title}</h1>
          {children}
        </div>
        <footer className="auth-footer">
          {publicPages.map((page) => (
            <a key={page.title} href={page.address} target="_blank" rel="noreferrer">
              {page.title}
            </a>
          ))}
        </footer>
      </main>
    </div>
  );
}
