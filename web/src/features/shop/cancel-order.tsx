import type { OrderDetail } from "@/api/wire";
import { Modal } from "@/components/modal";
import { useCancelOrder } from "@/features/shop/use-cancel-order";
import { formatNaira } from "@/lib/format/money";

interface CancelOrderProps {
  order: OrderDetail;
  onClose: () => void;
}

/** Asks before an order is cancelled, and says where its money goes. */
export function CancelOrder({ order, onClose }: CancelOrderProps) {
  const cancellation = useCancelOrder(onClose);
  const back = order.received - order.refundedTotal;
  return (
    <Modal
      header="Cancel order"
      submitText="Yes, cancel it"
      submitting={cancellation.isPending}
      onClose={onClose}
      onSubmit={() => cancellation.mutate(order.id)}
      content={
        <p>
          {back > 0
            ? `We will cancel order ${order.orderNumber} and return ${formatNaira(back)} to your wallet.`
            : `We will cancel order ${order.orderNumber}. If you have already sent the money, it goes to your wallet when it arrives.`}
        </p>
      }
    />
  );
}
