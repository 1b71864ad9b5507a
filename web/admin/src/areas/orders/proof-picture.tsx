import "~/areas/orders/orders.css";
import { Loaded } from "@/components/loaded";
import { Spinner } from "@/components/spinner";
import { useObjectUrl } from "@/lib/ui/use-object-url";
import { useFile } from "~/api/queries";
import type { Order } from "~/areas/orders/order";

interface ProofPictureProps {
  order: Order;
  proof: Order["proofs"][number];
}

/** The receipt that a member has uploaded: the picture, or a link to the PDF. */
export function ProofPicture({ order, proof }: ProofPictureProps) {
  const inPath = { order_id: order.id, proof_id: proof.id };
  const file = useFile("GET /api/v1/admin/orders/{order_id}/proofs/{proof_id}", { inPath });
  return (
    <Loaded query={file} pending={<Spinner label="Loading the receipt" />}>
      {(found) => <Shown file={found} />}
    </Loaded>
  );
}

function Shown({ file }: { file: Blob }) {
  const address = useObjectUrl(file);
  if (address === null) {
    return null;
  }
  return file.type.startsWith("image/") ? (
    <img className="proof-picture" src={address} alt="The member's receipt" />
  ) : (
    <a href={address} target="_blank" rel="noreferrer">
      Open the receipt (PDF)
    </a>
  );
}
