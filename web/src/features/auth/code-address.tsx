import { useRef, useState } from "react";
import { Button } from "@/components/button";
import { Skeleton } from "@/components/skeleton";
import { TextField } from "@/components/text-field";
import { AccountExists, isAccountExists } from "@/features/auth/account-exists";
import { correctEmail } from "@/features/auth/api";
import { CHECKING } from "@/features/auth/checked-submit";
import { secondsToWait } from "@/features/auth/sign-in-api";
import { emailError, MAX_EMAIL_LENGTH } from "@/features/auth/sign-in-rules";
import { withChallenge } from "@/features/auth/with-challenge";
import { Refusal } from "@/lib/live/failures";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";
import { useForm } from "@/lib/ui/use-form";
import { useSubmission } from "@/lib/ui/use-submission";

interface CodeAddressProps {
  userId: string;
  /** Empty until it is known. */
  email: string;
  /** The phone's last digits if the code goes there, empty until they are known; else null. */
  phone: string | null;
  /** Called with the new address, and the seconds until another code may be requested. */
  onCorrected: (email: string, retryAfterSeconds: number) => void;
  /** Read the address from the server again; undefined if it cannot be read. */
  onReread: () => Promise<string | undefined>;
}

/** Where the code is sent, and the form that corrects it. */
export function CodeAddress(place: CodeAddressProps) {
  const { email, phone, onCorrected } = place;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div className="code-address">
      {phone === null ? (
        <p>
          Your code goes to <Known text={email} />
        </p>
      ) : (
        <>
          <p>
            Your code goes by SMS to <Known text={phone} />
          </p>
          <p>
            Your email is <Known text={email} />
          </p>
        </>
      )}
      <Button
        ref={opener}
        variant="quiet"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        Wrong address?
      </Button>
      {isOpen ? (
        <CorrectionForm
          {...place}
          onCancel={close}
          onCorrected={(corrected, retryAfterSeconds) => {
            setOpen(false);
            onCorrected(corrected, retryAfterSeconds);
          }}
        />
      ) : null}
    </div>
  );
}

/** A text on a line of its own, which a placeholder holds until the text is known. */
function Known({ text }: { text: string }) {
  return text === "" ? <Skeleton width="12rem" /> : <strong className="unbroken">{text}</strong>;
}

interface CorrectionFormProps extends CodeAddressProps {
  onCancel: () => void;
}

function CorrectionForm({ userId, email, onCorrected, onReread, onCancel }: CorrectionFormProps) {
  const form = useForm({ email }, validate);
  const [isChecking, setChecking] = useState(false);
  const [hasAccount, setHasAccount] = useState(false);
  const submission = useSubmission({
    send: (wanted: string) =>
      withChallenge((solution) => correctEmail(userId, wanted, solution), setChecking),
    onSuccess: (retryAfterSeconds, wanted) => {
      showToast("success", "We have sent you a new code.");
      onCorrected(wanted, retryAfterSeconds);
      void onReread(); // as the server writes it
    },
    onError: async (error, wanted) => {
      const current = await onReread();
      if (current !== undefined && current !== email && current === wanted.toLowerCase()) {
        onCorrected(current, secondsToWait(error)); // only a response was lost
        return;
      }
      showFailure(error);
      setHasAccount(isAccountExists(error) && "email" in error.fields);
      if (error instanceof Refusal) {
        form.refuse(error.fields);
      }
    },
  });
  return (
    <form
      className="form"
      noValidate
      onSubmit={form.submit((values) => submission.submit(values.email.trim()))}
    >
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="email"
        autoFocus
        maxLength={MAX_EMAIL_LENGTH}
        value={form.values.email}
        error={form.errors.email}
        onChange={(value) => {
          setHasAccount(false);
          form.set("email", value);
        }}
      />
      {hasAccount ? <AccountExists email={form.values.email} /> : null}
      <div className="code-address-buttons">
        <Button
          type="submit"
          busy={submission.isPending}
          busyText={isChecking ? CHECKING : "Loading..."}
        >
          Send the code
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function validate({ email }: { email: string }): { email?: string } {
  const error = emailError(email, "Email is required", "Invalid email input");
  return error === undefined ? {} : { email: error };
}
