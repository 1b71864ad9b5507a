import "@/features/shop/checkout.css";
import type { TransferDetails } from "@/api/wire";
import { CopyButton } from "@/components/copy-button";

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
