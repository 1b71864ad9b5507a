import { Wordmark } from "@/components/brand-mark";

/**
 * The splash until the first screen is ready.
 *
 * `index.html` has the same picture as plain markup, so that it shows before any script.
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
