import "@/features/shop/checkout.css";
import { useQuery } from "@tanstack/react-query";
import { Landmark, type LucideIcon, Wallet } from "lucide-react";
import type { ReactNode } from "react";
import type { PaymentMethod } from "@/api/wire";
import { Panel } from "@/components/panel";
import { checkoutOptionsQuery } from "@/features/shop/api";
import { TransferInstructions } from "@/features/shop/transfer-instructions";
import { useMember } from "@/lib/session/session";

interface PaymentMethodsProps {
  chosen: PaymentMethod;
  walletNote: ReactNode;
  onChoose: (method: PaymentMethod) => void;
}

/** Wallet, or a bank transfer if the shop accepts one. */
export function PaymentMethods({ chosen, walletNote, onChoose }: PaymentMethodsProps) {
  const options = useQuery(checkoutOptionsQuery(useMember().id));
  const transfer = options.data?.bankTransfer ?? null;
  return (
    <Panel title="Payment Method" className="checkout-part">
      <fieldset className="methods">
        <legend className="visually-hidden">Payment Method</legend>
        <Method
          icon={Wallet}
          text="Wallet"
          checked={chosen === "wallet"}
          onChoose={() => onChoose("wallet")}
        />
        {chosen === "wallet" ? walletNote : null}
        <Method
          icon={Landmark}
          text="Bank Transfer"
          checked={chosen === "bank-transfer"}
          disabledBecause={
            options.isSuccess && transfer === null ? "Not offered at the moment" : undefined
          }
          onChoose={() => onChoose("bank-transfer")}
        />
        {chosen === "bank-transfer" && transfer ? (
          <TransferInstructions details={transfer} />
        ) : null}
      </fieldset>
    </Panel>
  );
}

interface MethodProps {
  icon: LucideIcon;
  text: string;
  checked: boolean;
  disabledBecause?: string | undefined;
  onChoose: () => void;
}

function Method({ icon: Icon, text, checked, disabledBecause, onChoose }: MethodProps) {
  return (
    <label className="method">
      <input
        type="radio"
        name="payment-method"
        checked={checked}
        disabled={disabledBecause !== undefined}
        onChange={onChoose}
      />
      <Icon aria-hidden="true" />
      <span>{text}</span>
      {disabledBecause ? <span className="small muted">{disabledBecause}</span> : null}
    </label>
  );
}
