/** What the bank says of a transfer, as it fills in the confirmation. */
interface BankFacts {
  amount: number;
  paidOn: string;
  reference: string;
}

const NAMES = ["amount", "paidOn", "reference"] as const;

/** The page of an order on which the confirmation of its transfer is filled in. */
export function confirmationAddress(number: string, facts: BankFacts): string {
  const search = new URLSearchParams(NAMES.map((name) => [name, String(facts[name])]));
  return `/orders/${number}?${search}`;
}

/** What an address fills in; nothing where it says nothing. */
export function filledInBy(search: URLSearchParams): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, search.get(name) ?? ""]));
}
