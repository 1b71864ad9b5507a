import { Wordmark } from "@/components/brand-mark";

/**
 * What stands on the page until the first screen is there.
 *
 * `index.html` carries the same picture as plain markup, so that it shows before any script.
 */
export function Splash() {
  return (
    <div className="splash">
      <Wordmark />
      <p className="auth-tagline">Get Connected Get Rewarded</p>
      <p className="visually-hidden" role="status">
        Loading
      </p>
    </div>
  );
}
