import "~/areas/approvals/approvals.css";
import { Fragment, useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { formatShortMoment } from "@/lib/format/dates";
import type { RowOf } from "~/api/calls";
import { useOperator } from "~/api/operator";
import { ProposalDetails } from "~/areas/approvals/proposal-details";
import { changesSettings, ProposedSettings } from "~/areas/approvals/proposed-settings";
import { formatValue } from "~/lib/format-value";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { Facts } from "~/parts/facts";
import { Json } from "~/parts/json";
import { ResourceList } from "~/parts/resource-list";
import { TargetName } from "~/parts/subject";

type Approval = RowOf<"GET /api/v1/admin/approvals">;

const WHY_TWO: Record<Approval["reasons"][number], string> = {
  own: "It concerns the proposer's own account",
  limit: "Above the limit for one operator",
  day_limit: "Above one operator's daily limit",
  confirm_day_limit: "Above the daily limit for confirmed transfers",
  own_product: "The proposer recently changed this product or plan",
  unlikely: "More than twice the order total",
};

/** What needs two people whoever proposes it and however much it is. */
const ALWAYS_TWO: Record<string, string> = {
  "accept-review":
    "A funding that the provider reported differently always needs a second operator",
  "operator.create": "A new operator always needs a second operator's approval",
  "operator.roles": "A change of roles always needs a second operator's approval",
  "operator.enable": "Enabling an operator again always needs a second operator's approval",
  "raise-limits": "A higher limit always needs a second operator's approval",
  "transfer-account": "A new bank account always needs a second operator's approval",
  "write-off-debt": "Writing off a debt always needs a second operator's approval",
};

const whyTwoOf = ({ kind, reasons }: Approval) =>
  reasons.length === 0
    ? [ALWAYS_TWO[kind] ?? "This always needs a second operator's approval"]
    : reasons.map((each) => WHY_TWO[each]);

const whyOf = (approval: Approval) => [approval.reason, ...whyTwoOf(approval)].join("; ");

/** Proposals by one operator that another decides. */
export default function ApprovalsPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/approvals"
      noun="proposal"
      empty="No approvals waiting"
      columns={[
        {
          title: "What",
          value: (row) => labelOf(row.kind),
          show: (row) => <What approval={row} />,
        },
        {
          title: "Content",
          value: (row) => JSON.stringify(row.content),
          sortBy: null,
          show: (row) =>
            changesSettings(row) ? (
              <ProposedSettings approval={row} />
            ) : (
              <Json value={row.content} subjects={row.subjects} />
            ),
        },
        {
          title: "Reason",
          value: whyOf,
          show: (row) => (
            <div className="proposal-why">
              <Why approval={row} />
            </div>
          ),
        },
        { title: "Proposed by", minor: true, value: (row) => row.proposedBy.name },
        { title: "Until", minor: true, as: "moment", value: (row) => row.expiresAt },
        { title: "State", as: "state", value: (row) => row.state },
        {
          title: "Decided",
          minor: true,
          value: decisionOf,
          sortBy: (row) => row.decidedAt,
          show: (row) => <Decision approval={row} />,
        },
      ]}
      actions={(row) => <Decide approval={row} />}
    />
  );
}

/** The open proposals; an address with a proposal's id scrolls to it. */
function What({ approval: { id, kind } }: { approval: Approval }) {
  const name = useRef<HTMLSpanElement>(null);
  const isMeant = useLocation().hash === `#${id}`;
  useEffect(() => {
    if (isMeant) {
      name.current?.focus();
    }
  }, [isMeant]);
  return (
    <span ref={name} tabIndex={isMeant ? -1 : undefined}>
      {labelOf(kind)}
    </span>
  );
}

/** The proposer's reason, and why a second operator is required. */
function Why({ approval }: { approval: Approval }) {
  return (
    <>
      <div>{approval.reason}</div>
      {whyTwoOf(approval).map((each) => (
        <div key={each} className="muted small">
          {each}
        </div>
      ))}
    </>
  );
}

function decisionOf({ decidedBy, decidedAt, decisionReason }: Approval): string {
  return decidedBy === null || decidedAt === null
    ? ""
    : [decidedBy.name, formatShortMoment(decidedAt), decisionReason].filter(Boolean).join(", ");
}

/** Who has decided, when, and why. */
function Decision({ approval: { decidedBy, decidedAt, decisionReason } }: { approval: Approval }) {
  return decidedBy === null || decidedAt === null ? (
    "–"
  ) : (
    <>
      <div>{decidedBy.name}</div>
      <time className="muted small" dateTime={decidedAt}>
        {formatShortMoment(decidedAt)}
      </time>
      <div>{decisionReason}</div>
    </>
  );
}

/** The name of the amount in the content. */
const AMOUNTS = ["amount", "leftKobo"];
const MAX_TARGETS = 3;

/** A proposal in full, for the operator who decides it. */
function Proposal({ approval }: { approval: Approval }) {
  const { content, subjects, proposedBy, proposedAt, reason } = approval;
  const amount = AMOUNTS.find((name) => name in content);
  const isShownAbove = (name: string, value: unknown) =>
    name === amount || subjects.some(({ id }) => id === value);
  const rest = Object.entries(content).filter(([name, value]) => !isShownAbove(name, value));
  return (
    <div className="form">
      <Facts
        facts={{
          For: subjects.length === 0 ? null : <Targets subjects={subjects} />,
          Amount: amount === undefined ? null : formatValue(amount, content[amount]),
          "Proposed by": proposedBy.name,
          Proposed: formatShortMoment(proposedAt),
          "Proposer's reason": reason,
          "Why a second operator": whyTwoOf(approval).join("; "),
        }}
      />
      <ProposalDetails approval={approval} />
      {changesSettings(approval) ? <ProposedSettings approval={approval} /> : null}
      {rest.length === 0 || changesSettings(approval) ? null : (
        <Json value={Object.fromEntries(rest)} subjects={subjects} />
      )}
    </div>
  );
}

/** The first of its subjects. */
function Targets({ subjects }: Pick<Approval, "subjects">) {
  const more = subjects.length - MAX_TARGETS;
  return (
    <>
      {subjects.slice(0, MAX_TARGETS).map(({ type, id }, index) => (
        <Fragment key={id}>
          {index === 0 ? null : ", "}
          <TargetName target={{ targetType: type, targetId: id, subjects }} />
        </Fragment>
      ))}
      {more > 0 ? ` and ${more} more` : null}
    </>
  );
}

/** Approve or refuse another operator's proposal exactly as displayed. */
function Decide({ approval }: { approval: Approval }) {
  const operator = useOperator();
  if (approval.state !== "open" || !operator.rights.includes(approval.right)) {
    return null;
  }
  if (approval.proposedBy.id === operator.id) {
    return <span className="muted small own-proposal">Another operator has to approve this</span>;
  }
  const inPath = { approval_id: approval.id };
  const what = labelOf(approval.kind);
  return (
    <>
      {approval.isOwn ? (
        <span className="muted small">
          This is about your own account, so another operator has to approve it
        </span>
      ) : (
        <Action
          call="POST /api/v1/admin/approvals/{approval_id}/decide"
          inPath={inPath}
          fixed={{ digest: approval.digest, decision: "approve" }}
          text="Approve"
          header={`Approve: ${what}`}
          variant="primary"
          note={<Proposal approval={approval} />}
        />
      )}
      <Action
        call="POST /api/v1/admin/approvals/{approval_id}/decide"
        inPath={inPath}
        fixed={{ digest: approval.digest, decision: "refuse" }}
        text="Refuse"
        header={`Refuse: ${what}`}
        note={<Proposal approval={approval} />}
      />
    </>
  );
}
