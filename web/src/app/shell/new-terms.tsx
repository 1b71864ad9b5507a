import { lazy, Suspense, useEffect, useState } from "react";

/** After the first screen has had the network to itself. */
const AFTER_MS = 1000;

/** If it fails to load, members are asked another time. */
const Terms = lazy(() => import("@/features/legal/terms").catch(() => ({ default: () => null })));

/** Asks for the acceptance of new terms, or tells about them. */
export function NewTerms() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isTime ? (
    <Suspense fallback={null}>
      <Terms />
    </Suspense>
  ) : null;
}
