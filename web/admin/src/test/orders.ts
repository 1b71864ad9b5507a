/** An order in the list of the back office. */
export function aListedOrder(number: number, facts: object = {}) {
  return {
    id: `0199f2a4-0000-7000-8000-${String(number).padStart(12, "0")}`,
    orderNumber: `FC-${number}`,
    createdAt: "2026-11-20T12:30:00Z",
    status: "processing",
    payment_method: "wallet",
    total: number,
    member: { id: "m", firstName: "Ada", lastName: "Obi" },
    ...facts,
  };
}
