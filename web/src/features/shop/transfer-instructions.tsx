import "@/features/shop/checkout.css";
import type { TransferDetails } from "@/api/wire";
import { CopyButton } from "@/components/copy-button";
import { SkeletonOf } from "@/components/skeleton";

/** As long as a common account, whose instructions have some eighty characters. */
const PENDING: TransferDetails = {
  accountName: "…",
  accountNumber: "…",
  bank: "…",
  instructions: "… ".repeat(40),
};

/** Replaces the instructions until they are known. */
export function TransferWaiting() {
  return (
    <div role="status" aria-label="Loading the account">
      <SkeletonOf>
        <TransferInstructions details={PENDING} orderNumber="…" />
      </SkeletonOf>
    </div>
  );
}

interface TransferInstructionsProps {
  details: TransferDetails;
  /** The order's number, once there is one. */
  orderNumber?: string;
}

/** The account for the transfer, each value with a copy button. */
export function TransferInstructions({ details, orderNumber }: TransferInstructionsProps) {
  return (
    <div className="transfer">
      <dl>
        <Line name="Account name" value={details.accountName} />
        <Line name="Account number" value={details.accountNumber} />
        <Line name="Bank" value={details.bank} />
        {orderNumber ? <Line name="Reference" value={orderNumber} /> : null}
      </dl>
      <p className="small">{details.instructions}</p>
    </div>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div className="transfer-line">
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd className="transfer-copy">
        <CopyButton text={value} label={name.toLowerCase()} />
      </dd>
    </div>
  );
}
