import { formatShortMoment } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import { labelOf } from "~/lib/words";

const KOBO = /kobo$/i;
/** Names of amounts in naira, on the wire and in the audit log. */
const NAIRA =
  /^(amount|balance|price|fee|total|taken|debt|written_?off|confirmAmount|((adjustment|refund|confirm)_?(day_?)?|transfer_?value_?)limit)$|_(amount|price|fee|total)$/i;
const WORD = /^(category|gateway|kind|outcome|state|status)$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const KOBO_PER_NAIRA = 100;

/** A wire value formatted for reading: money as naira, times in Lagos, enum values as labels. */
export function formatValue(name: string, value: unknown): string {
  if (value === null || value === undefined || value === "") {
    return "–";
  }
  switch (typeof value) {
    case "boolean":
      return value ? "Yes" : "No";
    case "number":
      return numberOf(name, value);
    default:
      return textOf(name, String(value));
  }
}

function numberOf(name: string, value: number): string {
  if (KOBO.test(name)) {
    return formatNaira(value / KOBO_PER_NAIRA);
  }
  return NAIRA.test(name) ? formatNaira(value) : String(value);
}

function textOf(name: string, text: string): string {
  if (MOMENT.test(text)) {
    return formatShortMoment(text) || text;
  }
  return WORD.test(name) ? labelOf(text) : text;
}
