import "~/parts/json.css";
import { formatShortMoment } from "@/lib/format/dates";
import { formatInCurrency } from "@/lib/format/money";
import { labelOf } from "~/lib/words";
import type { ReviewCase } from "~/parts/case-subject";
import { LongWords } from "~/parts/long-words";
import { MemberLink, memberName } from "~/parts/member-link";

type Report = ReviewCase["reports"][number];

const NOT_STORED = "Not stored here; see the provider's dashboard";

/** Whether a case waits for a funding, of which a provider has reported something. */
export function isOfFunding({ kind }: ReviewCase): boolean {
  return kind !== "surplus" && kind !== "chargeback_short";
}

/** What the provider reported of a case's funding, as text. */
export function reportsText(reviewCase: ReviewCase): string {
  if (!isOfFunding(reviewCase)) {
    return "";
  }
  const texts = reviewCase.reports.map((report) => Object.values(factsOf(report)).join(", "));
  return texts.length === 0 ? NOT_STORED : texts.join("; ");
}

/** What the provider reported of a case's funding: usually one payment. */
export function ProviderReports({ reviewCase }: { reviewCase: ReviewCase }) {
  if (!isOfFunding(reviewCase)) {
    return "–";
  }
  if (reviewCase.reports.length === 0) {
    return NOT_STORED;
  }
  return reviewCase.reports.map((report) => (
    <dl key={report.receivedAt} className="json">
      {Object.entries(factsOf(report)).map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {name === "Member" && report.member !== null ? (
              <MemberLink member={report.member} />
            ) : (
              <LongWords text={text} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  ));
}

/** The member that the provider names is left out where it names none. */
function factsOf({ amount, requested, currency, mode, memberId, member, receivedAt }: Report) {
  return {
    Paid: formatInCurrency(amount, currency),
    ...(requested === null ? {} : { "Asked for": formatInCurrency(requested, currency) }),
    Mode: `${labelOf(mode)} money`,
    ...(memberId === null ? {} : { Member: member === null ? memberId : memberName(member) }),
    Reported: formatShortMoment(receivedAt),
  };
}
