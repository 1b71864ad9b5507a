export const CHECKING = "Checking your connection...";

/** Shown while a challenge is being solved. */
export function CheckingNotice({ isChecking }: { isChecking: boolean }) {
  return isChecking ? (
    <p className="notice" role="status">
      Many people use your network right now, so we are checking your connection. This takes a few
      seconds.
    </p>
  ) : null;
}
