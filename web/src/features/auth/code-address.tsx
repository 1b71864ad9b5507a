import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/button";
import { Skeleton } from "@/components/skeleton";
import { TextField } from "@/components/text-field";
import { AccountExists, isAccountExists } from "@/features/auth/account-exists";
import { correctEmail, correctPhone, type PendingSignUp } from "@/features/auth/api";
import { CHECKING } from "@/features/auth/checked-submit";
import type { CodeState } from "@/features/auth/code-news";
import { MAX_PHONE_INPUT_LENGTH, phoneError } from "@/features/auth/rules";
import { secondsToWait } from "@/features/auth/sign-in-api";
import { emailError, MAX_EMAIL_LENGTH } from "@/features/auth/sign-in-rules";
import { signUpDraft } from "@/features/auth/sign-up-draft";
import { withChallenge } from "@/features/auth/with-challenge";
import { Refusal } from "@/lib/live/failures";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";
import { useForm } from "@/lib/ui/use-form";
import { useSubmission } from "@/lib/ui/use-submission";

/** What a correction has changed of a sign-up. */
export type Corrected =
  | { channel: "email"; email: string; phone?: never }
  | { channel: "sms"; phone: string; email?: never };

interface CodePlacesProps {
  userId: string;
  state: CodeState;
  /** Empty until it is known. */
  email: string;
  /** The phone's last digits if the code goes there, empty until they are known; else null. */
  phone: string | null;
  /** Called with the correction, and the seconds until another code may be requested. */
  onCorrected: (corrected: Corrected, retryAfterSeconds: number) => void;
  /** Read the sign-up from the server again; undefined if it cannot be read. */
  onReread: () => Promise<PendingSignUp | null | undefined>;
}

const BY_EMAIL: Record<CodeState, string> = {
  sent: "We sent the code to",
  held: "Your code will go to",
  unknown: "Your code goes to",
};
const BY_SMS: Record<CodeState, string> = {
  sent: "We sent the code by SMS to",
  held: "Your code will go by SMS to",
  unknown: "Your code goes by SMS to",
};

/** Where the code is sent, each place with the form that corrects it. */
export function CodePlaces({ state, email, phone, ...rest }: CodePlacesProps) {
  if (phone === null) {
    return (
      <CodePlace says={BY_EMAIL[state]} shown={email} wrong="Wrong address?">
        {(close) => <EmailForm {...rest} email={email} onClose={close} />}
      </CodePlace>
    );
  }
  return (
    <>
      <CodePlace says={BY_SMS[state]} shown={wholePhone(phone)} wrong="Wrong number?">
        {(close) => <PhoneForm {...rest} phone={phone} onClose={close} />}
      </CodePlace>
      <CodePlace says="Your email is" shown={email} wrong="Wrong address?">
        {(close) => <EmailForm {...rest} email={email} onClose={close} />}
      </CodePlace>
    </>
  );
}

/** The phone as it was typed in this tab, if it is the one with these last digits. */
function wholePhone(shown: string): string {
  const typed = signUpDraft.read()?.phone.trim() ?? "";
  return shown !== "" && masked(typed) === shown ? typed : shown;
}

interface CodePlaceProps {
  says: string;
  shown: string;
  wrong: string;
  children: (close: () => void) => ReactNode;
}

function CodePlace({ says, shown, wrong, children }: CodePlaceProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div className="code-address">
      <p>
        {says} {shown === "" ? <Skeleton width="12rem" /> : <strong>{shown}</strong>}
      </p>
      <Button
        ref={opener}
        variant="quiet"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        {wrong}
      </Button>
      {isOpen ? children(close) : null}
    </div>
  );
}

interface CorrectionProps {
  userId: string;
  onCorrected: CodePlacesProps["onCorrected"];
  onReread: CodePlacesProps["onReread"];
  onClose: () => void;
}

function EmailForm({
  userId,
  email,
  onCorrected,
  onReread,
  onClose,
}: CorrectionProps & { email: string }) {
  const form = useForm({ email }, validateEmail);
  const [hasAccount, setHasAccount] = useState(false);
  const done = (corrected: string, retryAfterSeconds: number) => {
    onClose();
    onCorrected({ channel: "email", email: corrected }, retryAfterSeconds);
  };
  const { submission, isChecking } = useCorrection({
    send: (wanted, solution) => correctEmail(userId, wanted, solution),
    onDone: (wanted, retryAfterSeconds) => {
      done(wanted, retryAfterSeconds);
      void onReread(); // as the server writes it
    },
    onError: async (error, wanted) => {
      const current = (await onReread())?.email;
      if (current !== undefined && current !== email && current === wanted.toLowerCase()) {
        done(current, secondsToWait(error)); // only a response was lost
        return true;
      }
      setHasAccount(isAccountExists(error) && "email" in error.fields);
      return false;
    },
    refuse: form.refuse,
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
      <CorrectionButtons busy={submission.isPending} isChecking={isChecking} onClose={onClose} />
    </form>
  );
}

function PhoneForm({
  userId,
  phone,
  onCorrected,
  onReread,
  onClose,
}: CorrectionProps & { phone: string }) {
  const typed = wholePhone(phone);
  const form = useForm({ phone: typed === phone ? "" : typed }, validatePhone);
  const done = (wanted: string, retryAfterSeconds: number) => {
    const draft = signUpDraft.read();
    if (draft !== null) {
      signUpDraft.write({ ...draft, phone: wanted }); // shown in full
    }
    onClose();
    onCorrected({ channel: "sms", phone: masked(wanted) }, retryAfterSeconds);
  };
  const { submission, isChecking } = useCorrection({
    send: (wanted, solution) => correctPhone(userId, wanted, solution),
    onDone: done,
    onError: async (error, wanted) => {
      const current = (await onReread())?.phone;
      if (current !== undefined && current !== phone && current === masked(wanted)) {
        done(wanted, secondsToWait(error)); // only a response was lost
        return true;
      }
      return false;
    },
    refuse: form.refuse,
  });
  return (
    <form
      className="form"
      noValidate
      onSubmit={form.submit((values) => submission.submit(values.phone.trim()))}
    >
      <TextField
        label="Phone"
        type="tel"
        name="phone"
        autoComplete="tel"
        autoFocus
        maxLength={MAX_PHONE_INPUT_LENGTH}
        value={form.values.phone}
        error={form.errors.phone}
        onChange={(value) => form.set("phone", value)}
      />
      <CorrectionButtons busy={submission.isPending} isChecking={isChecking} onClose={onClose} />
    </form>
  );
}

interface Correction {
  send: (wanted: string, solution?: string) => Promise<number>;
  onDone: (wanted: string, retryAfterSeconds: number) => void;
  /** Whether the correction turns out to be done. */
  onError: (error: unknown, wanted: string) => Promise<boolean>;
  refuse: (fields: Record<string, string>) => void;
}

function useCorrection({ send, onDone, onError, refuse }: Correction) {
  const [isChecking, setChecking] = useState(false);
  const submission = useSubmission({
    send: (wanted: string) => withChallenge((solution) => send(wanted, solution), setChecking),
    onSuccess: (retryAfterSeconds, wanted) => {
      showToast("success", "We have sent you a new code.");
      onDone(wanted, retryAfterSeconds);
    },
    onError: async (error, wanted) => {
      if (await onError(error, wanted)) {
        return;
      }
      showFailure(error);
      if (error instanceof Refusal) {
        refuse(error.fields);
      }
    },
  });
  return { submission, isChecking };
}

interface CorrectionButtonsProps {
  busy: boolean;
  isChecking: boolean;
  onClose: () => void;
}

function CorrectionButtons({ busy, isChecking, onClose }: CorrectionButtonsProps) {
  return (
    <div className="code-address-buttons">
      <Button type="submit" busy={busy} busyText={isChecking ? CHECKING : "Loading..."}>
        Send the code
      </Button>
      <Button variant="quiet" onClick={onClose}>
        Cancel
      </Button>
    </div>
  );
}

function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, "");
}

/** A phone as the server shows it. */
function masked(phone: string): string {
  return `•••• ${digitsOf(phone).slice(-4)}`;
}

function validateEmail({ email }: { email: string }): { email?: string } {
  const error = emailError(email, "Email is required", "Invalid email input");
  return error === undefined ? {} : { email: error };
}

function validatePhone({ phone }: { phone: string }): { phone?: string } {
  const error = phoneError(phone);
  return error === undefined ? {} : { phone: error };
}
