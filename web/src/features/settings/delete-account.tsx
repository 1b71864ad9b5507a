import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ACCOUNT_DELETION_MAX_LENGTHS } from "@/api/max-lengths.gen";
import { Button } from "@/components/button";
import { CheckboxField } from "@/components/checkbox-field";
import { Modal } from "@/components/modal";
import { PasswordField } from "@/components/password-field";
import { balanceLeft, deleteAccount } from "@/features/settings/api";
import { formatNaira } from "@/lib/format/money";
import { isDecided, messageOf, neverSent } from "@/lib/live/failures";
import {
  cancelDeletion,
  endSession,
  requestAccountDeletion,
  useMember,
} from "@/lib/session/session";
import { showToast } from "@/lib/ui/toasts";

/**
 * Explains what is deleted and what is kept, asks for the password, and twice if the wallet holds
 * money.
 */
export function DeleteAccount({ onClose }: { onClose: () => void }) {
  const { id } = useMember();
  const [password, setPassword] = useState("");
  const [balance, setBalance] = useState<number | null>(null);
  const [givesUp, setGivesUp] = useState(false);
  const [errors, setErrors] = useState<{ password?: string; givesUp?: string }>({});
  const mutation = useMutation({
    mutationFn: () => deleteAccount(id, password, givesUp),
    onMutate: requestAccountDeletion,
    onSuccess: ({ message }) => {
      void endSession("left");
      showToast("success", `${message} Goodbye, and thank you for every shout.`);
    },
    onError: (error) => {
      if (isDecided(error) || neverSent(error)) {
        cancelDeletion();
      }
      const left = balanceLeft(error);
      setBalance(left ?? balance);
      setErrors(left === null ? { password: messageOf(error) } : {});
    },
  });
  const submit = () => {
    if (password === "") {
      setErrors({ password: "Password is required" });
    } else if (balance !== null && !givesUp) {
      setErrors({ givesUp: "Please tick this box, or close this and spend it first" });
    } else {
      mutation.mutate();
    }
  };
  return (
    <Modal
      header="Delete my account"
      footer={false}
      onClose={onClose}
      onSubmit={submit}
      content={
        <>
          <WhatHappens />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            maxLength={ACCOUNT_DELETION_MAX_LENGTHS.password}
            value={password}
            error={errors.password}
            onChange={(typed) => {
              setPassword(typed);
              setErrors({});
            }}
          />
          {balance === null ? null : (
            <MoneyLeft
              balance={balance}
              givesUp={givesUp}
              error={errors.givesUp}
              onChange={(ticked) => {
                setGivesUp(ticked);
                setErrors({});
              }}
            />
          )}
          <div className="delete-actions">
            <Button variant="secondary" onClick={onClose}>
              Keep my account
            </Button>
            <Button
              type="submit"
              variant="danger"
              className="settings-danger"
              busy={mutation.isPending}
              busyText="Deleting..."
            >
              Delete for good
            </Button>
          </div>
        </>
      }
    />
  );
}

function WhatHappens() {
  return (
    <div className="delete-explained">
      <p>This cannot be undone.</p>
      <dl>
        <dt>Erased</dt>
        <dd>
          Your name, email, phone, picture, next of kin, bank account, the addresses of your orders,
          what you wrote in the chats, and all your moments.
        </dd>
        <dt>Kept, without you</dt>
        <dd>
          Records of payments, orders and points, under the name "Former Member", so that every
          naira and every point stays accounted for.
        </dd>
      </dl>
    </div>
  );
}

interface MoneyLeftProps {
  balance: number;
  givesUp: boolean;
  error: string | undefined;
  onChange: (ticked: boolean) => void;
}

function MoneyLeft({ balance, givesUp, error, onChange }: MoneyLeftProps) {
  return (
    <div className="notice notice-warn delete-money" role="alert">
      <p>
        Your wallet still holds <strong>{formatNaira(balance)}</strong>. You can close this and
        spend it in the shop first.
      </p>
      <CheckboxField checked={givesUp} error={error} onChange={onChange}>
        I give up {formatNaira(balance)}
      </CheckboxField>
    </div>
  );
}
