import { MoneyTabs } from "~/areas/money/money-tabs";
import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

const CHARGEBACK = "POST /api/v1/admin/chargebacks";

/** Payment disputes and chargebacks. */
export default function DisputesPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <ResourceList
        call="GET /api/v1/admin/disputes"
        noun="dispute"
        empty="No disputes"
        beside={<Action call={CHARGEBACK} text="Record a chargeback" />}
        columns={[
          { title: "Case", value: (dispute) => dispute.caseId },
          { title: "Provider", minor: true, as: "word", value: (dispute) => dispute.gateway },
          { title: "Funding", value: (dispute) => dispute.fundingReference },
          { title: "Amount", as: "naira", value: (dispute) => dispute.amount, total: true },
          {
            title: "Charged back",
            as: "naira",
            value: (dispute) => dispute.chargedBack,
            total: true,
          },
          { title: "Opened", as: "moment", value: (dispute) => dispute.openedAt },
          { title: "State", as: "state", value: (dispute) => dispute.state },
          {
            title: "The provider says",
            minor: true,
            as: "word",
            value: (dispute) => dispute.status,
          },
        ]}
        actions={({ caseId, fundingReference, amount, chargedBack }) =>
          chargedBack < amount ? (
            <Action
              call={CHARGEBACK}
              text="Charge back"
              note="The wallet pays what it holds; the rest becomes a debt."
              current={{ caseId, fundingReference, amount: amount - chargedBack }}
            />
          ) : null
        }
      />
    </div>
  );
}
