import "@/features/wallet/fund-wallet-modal.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FundingLimits } from "@/api/wire";
import { AmountInput } from "@/components/amount-input";
import { Field } from "@/components/field";
import { Modal } from "@/components/modal";
import { Segments } from "@/components/segments";
import { limitsQuery } from "@/features/wallet/api";
import { formatCount } from "@/lib/format/counts";
import { amountFromTyping, formatNairaShort } from "@/lib/format/money";
import { useMember } from "@/lib/session/session";

const QUICK_AMOUNTS = [1000, 2000, 5000, 10_000];

interface FundWalletModalProps {
  preparing: boolean;
  /** The initial amount in naira, such as the shortfall of an order. */
  suggestedNaira?: number;
  onFund: (amountNaira: number, gateway?: string) => void;
  onClose: () => void;
}

/**
 * Asks for the amount, and the provider if there is a choice; sends only an amount within the
 * limits.
 */
export function FundWalletModal({
  preparing,
  suggestedNaira,
  onFund,
  onClose,
}: FundWalletModalProps) {
  const { id } = useMember();
  const limits = useQuery(limitsQuery(id)).data;
  const [text, setText] = useState(suggestedNaira ? formatCount(Math.ceil(suggestedNaira)) : "");
  const [error, setError] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const change = (value: string) => {
    setText(value);
    setError(undefined);
  };
  const gateways = limits?.gateways ?? [];
  const submit = () => {
    const amount = amountFromTyping(text);
    const refusal = amountRefusal(amount, limits);
    setError(refusal);
    if (amount !== null && refusal === undefined) {
      onFund(amount, chosen);
    }
  };
  return (
    <Modal
      header="Fund Wallet"
      loading={preparing}
      onClose={onClose}
      onSubmit={submit}
      submitText="Fund Wallet"
      content={
        <>
          <Field label="Amount" error={error} hint={limits ? limitsHint(limits) : undefined}>
            {(control) => <AmountInput control={control} value={text} onChange={change} />}
          </Field>
          <fieldset className="quick-amounts">
            <legend className="visually-hidden">Quick amounts</legend>
            {QUICK_AMOUNTS.map((amount) => (
              <button
                key={amount}
                type="button"
                aria-pressed={amountFromTyping(text) === amount}
                onClick={() => change(formatCount(amount))}
              >
                {formatNairaShort(amount)}
              </button>
            ))}
          </fieldset>
          {gateways.length > 1 ? (
            <div className="pay-with">
              <p aria-hidden="true">Pay with</p>
              <Segments
                label="Pay with"
                options={gateways.map(({ name, title }) => ({ value: name, text: title }))}
                value={chosen ?? gateways[0]?.name ?? ""}
                onChange={setChosen}
              />
            </div>
          ) : null}
          <p className="small muted">
            You pay on our provider's secure page. We never see your card.
          </p>
        </>
      }
    />
  );
}

function limitsHint({ minimum, maximum, remainingToday, dailyMaximum }: FundingLimits): string {
  const range = `From ${formatNairaShort(minimum)} to ${formatNairaShort(maximum)}.`;
  return remainingToday < dailyMaximum
    ? `${range} ${formatNairaShort(remainingToday)} left for today.`
    : range;
}

/** Why an amount is invalid, or undefined. The limits are the server's; it checks them again. */
export function amountRefusal(
  amount: number | null,
  limits: FundingLimits | undefined,
): string | undefined {
  if (amount === null) {
    return "Please enter only number in the amount field.";
  }
  if (limits === undefined) {
    return undefined;
  }
  if (amount < limits.minimum) {
    return `The minimum you can fund is ${formatNairaShort(limits.minimum)}.`;
  }
  const max = Math.min(limits.maximum, limits.remainingToday);
  return amount > max ? `The maximum you can fund now is ${formatNairaShort(max)}.` : undefined;
}
