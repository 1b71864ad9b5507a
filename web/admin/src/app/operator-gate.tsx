import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Refusal } from "@/lib/failures";
import { OperatorContext } from "~/api/operator";
import { useAnswer } from "~/api/queries";
import { NotFound } from "~/app/not-found";
import { operatorSession } from "~/lib/operator-session";

/** How often it is asked until when the session lasts; asking does not count as use. */
const ASK_EVERY_MS = 60_000;

/** Lets operators in; to everybody else there is no page at any address here. */
export function OperatorGate({ children }: { children: ReactNode }) {
  const session = useSyncExternalStore(operatorSession.subscribe, operatorSession.read);
  const queryClient = useQueryClient();
  const wasSignedIn = useRef(session !== null);
  const from = useLocation();
  useEffect(() => {
    if (session === null) {
      queryClient.clear();
    }
  }, [session, queryClient]);
  if (session !== null) {
    wasSignedIn.current = true;
    return <Admitted key={session.token}>{children}</Admitted>;
  }
  return wasSignedIn.current ? <Navigate to="/sign-in" replace state={{ from }} /> : <NotFound />;
}

function Admitted({ children }: { children: ReactNode }) {
  const me = useAnswer("GET /api/v1/admin/me", {}, { everyMs: ASK_EVERY_MS });
  if (me.error instanceof Refusal && me.data === undefined) {
    return <NotFound />;
  }
  return (
    <Loaded asked={me} pending={null}>
      {(operator) => <OperatorContext value={operator}>{children}</OperatorContext>}
    </Loaded>
  );
}
