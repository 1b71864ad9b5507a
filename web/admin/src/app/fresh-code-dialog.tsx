import { useEffect, useState, useSyncExternalStore } from "react";
import { Modal } from "@/components/modal";
import { messageOf } from "@/lib/live/failures";
import { useSubmission } from "@/lib/ui/use-submission";
import { perform } from "~/api/client";
import { CodeField, codeError } from "~/app/sign-in";
import {
  freshCodeEntered,
  freshCodeRefused,
  isRequestingFreshCode,
  subscribeToFreshCode,
} from "~/lib/fresh-code";
import { operatorSession } from "~/lib/operator-session";

/** Asks for a code when a call requires a fresh one. */
export function FreshCodeDialog() {
  const isRequesting = useSyncExternalStore(subscribeToFreshCode, isRequestingFreshCode);
  return isRequesting ? <Dialog /> : null;
}

function Dialog() {
  useEffect(
    () =>
      operatorSession.subscribe(() => {
        if (operatorSession.read() === null) {
          freshCodeRefused(); // the session is over, so the pending call cannot continue
        }
      }),
    [],
  );
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const { submit, isPending } = useSubmission({
    send: () => perform("POST /api/v1/admin/fresh", { body: { code } }),
    onSuccess: freshCodeEntered,
    onError: (failure) => {
      setCode("");
      setError(messageOf(failure));
    },
  });
  const onSubmit = () => {
    const wrong = codeError(code);
    setError(wrong);
    if (wrong === undefined) {
      submit(undefined);
    }
  };
  return (
    <Modal
      header="Enter a fresh code"
      submitText="Go on"
      submitting={isPending}
      onSubmit={onSubmit}
      onClose={freshCodeRefused}
      content={
        <div className="form">
          <p className="muted">What you are about to do wants a code of this moment.</p>
          <CodeField
            value={code}
            error={error}
            onChange={(typed) => {
              setCode(typed);
              setError(undefined);
            }}
          />
        </div>
      }
    />
  );
}
