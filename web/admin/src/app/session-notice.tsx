import { useEffect, useState } from "react";
import { formatTime } from "@/lib/format/dates";
import { useOperator } from "~/api/operator";

const POLL_INTERVAL_MS = 10_000;
const NOTICE_BEFORE_MS = 3 * 60_000;

/** Warns that the session is about to end, while there is time to finish. */
export function SessionNotice() {
  const { idleEndsAt, endsAt } = useOperator();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  const endMs = Math.min(Date.parse(idleEndsAt), Date.parse(endsAt));
  return (
    <div role="status">
      {endMs - nowMs < NOTICE_BEFORE_MS ? (
        <p className="session-notice">
          You will be signed out at {formatTime(endMs)}
          {endsAt === idleEndsAt || endMs === Date.parse(endsAt)
            ? "."
            : " unless you do something."}
        </p>
      ) : null}
    </div>
  );
}
