const LOCALE = "en-NG";
const KOBO_PER_NAIRA = 100;

const naira = new Intl.NumberFormat(LOCALE, {
  style: "currency",
  currency: "NGN",
  currencyDisplay: "narrowSymbol",
  minimumFractionDigits: 2,
});
const wholeNaira = new Intl.NumberFormat(LOCALE, {
  style: "currency",
  currency: "NGN",
  currencyDisplay: "narrowSymbol",
  minimumFractionDigits: 0,
  maximumFractionDigits: 2,
});
const decimals = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** An amount as `₦2,500.50`, always with two decimals. */
export function formatNaira(amountNaira: number): string {
  return naira.format(amountNaira);
}

/** An amount as `₦15,000`: with kobo only if there are any. */
export function formatNairaShort(amountNaira: number): string {
  return Number.isInteger(amountNaira) ? wholeNaira.format(amountNaira) : naira.format(amountNaira);
}

/** A sample's price as `$29.99`. */
export function formatDollars(amountDollars: number): string {
  return dollars.format(amountDollars);
}

/** An amount in any currency: naira as `₦2,500.50`, others as `4,999.00 GHS`. */
export function formatInCurrency(amount: number, currency: string): string {
  return currency === "NGN" ? formatNaira(amount) : `${decimals.format(amount)} ${currency}`;
}

/** Add without the drift of binary fractions. */
/** The sum of two amounts in naira, exact to the kobo. */
export function plusNaira(first: number, second: number): number {
  const kobo = Math.round(first * KOBO_PER_NAIRA) + Math.round(second * KOBO_PER_NAIRA);
  return kobo / KOBO_PER_NAIRA;
}

export function timesQuantity(priceNaira: number, quantity: number): number {
  return (Math.round(priceNaira * KOBO_PER_NAIRA) * quantity) / KOBO_PER_NAIRA;
}

/** Typed input as digits with thousand separators; everything else is dropped. */
export function formatWhileTyping(text: string): string {
  const digits = text.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** The typed number, or null if it is empty, zero or not a number (spec 5). */
export function amountFromTyping(text: string): number | null {
  const amountNaira = Number(text.replaceAll(",", ""));
  return text.trim() === "" || Number.isNaN(amountNaira) || amountNaira === 0 ? null : amountNaira;
}
