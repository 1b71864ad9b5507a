import { useQueryClient } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Refusal } from "@/lib/live/failures";
import { suspendDialogs } from "@/lib/ui/overlays";
import { type Operator, OperatorContext } from "~/api/operator";
import { cacheResponse, useAnswer } from "~/api/queries";
import { NotFound } from "~/app/not-found";
import { SignIn } from "~/app/sign-in";
import { isExpired, operatorSession } from "~/lib/operator-session";

/** How often the session's expiry is polled; polling does not extend the session. */
const POLL_INTERVAL_MS = 60_000;

/** Lets operators in; to everyone else every address here is unknown. */
export function OperatorGate({ children }: { children: ReactNode }) {
  const session = useSyncExternalStore(operatorSession.subscribe, operatorSession.read);
  const wasSignedIn = useRef(false);
  const from = useLocation();
  if (session !== null) {
    wasSignedIn.current = true;
  }
  if (session === null && !isExpired()) {
    return wasSignedIn.current ? <Leaving from={from} /> : <NotFound />;
  }
  return <Admitted isSignedIn={session !== null}>{children}</Admitted>;
}

/** A sign-out drops all data that was read for the operator. */
function Leaving({ from }: { from: object }) {
  const queryClient = useQueryClient();
  useEffect(() => queryClient.clear(), [queryClient]);
  return <Navigate to="/sign-in" replace state={{ from }} />;
}

interface AdmittedProps {
  isSignedIn: boolean;
  children: ReactNode;
}

/**
 * The operator's screens. After the session expires, unfinished work stays hidden until the same
 * operator signs in again; for anyone else the screens start fresh.
 */
function Admitted({ isSignedIn, children }: AdmittedProps) {
  const me = useAnswer(
    "GET /api/v1/admin/me",
    {},
    { everyMs: POLL_INTERVAL_MS, enabled: isSignedIn },
  );
  const queryClient = useQueryClient();
  const continueAs = (operator: Operator) => {
    if (operator.id !== me.data?.id) {
      queryClient.clear();
    }
    cacheResponse(queryClient, "GET /api/v1/admin/me", operator);
  };
  useEffect(() => (isSignedIn ? undefined : suspendDialogs()), [isSignedIn]);
  if (isSignedIn && me.error instanceof Refusal && me.data === undefined) {
    return <NotFound />;
  }
  return (
    <>
      {isSignedIn ? null : <SignIn onDone={continueAs} />}
      <div hidden={!isSignedIn}>
        <Loaded query={me} pending={null}>
          {(operator) => (
            <OperatorContext value={operator}>
              <Fragment key={operator.id}>{children}</Fragment>
            </OperatorContext>
          )}
        </Loaded>
      </div>
    </>
  );
}
