/** The details of a bank transfer that prefill the confirmation. */
interface BankFacts {
  amount: number;
  paidOn: string;
  reference: string;
}

const NAMES = ["amount", "paidOn", "reference"] as const;

/** The address of an order's page with the confirmation prefilled. */
export function confirmationAddress(number: string, facts: BankFacts): string {
  const search = new URLSearchParams(NAMES.map((name) => [name, String(facts[name])]));
  return `/orders/${number}?${search}`;
}

/** Whether an address fills in the confirmation. */
export function fillsIn(search: URLSearchParams): boolean {
  return NAMES.some((name) => search.has(name));
}

/** The prefilled values of an address; empty without any. */
export function filledInBy(search: URLSearchParams): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, search.get(name) ?? ""]));
}
