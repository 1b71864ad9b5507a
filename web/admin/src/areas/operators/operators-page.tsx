import type { RowOf } from "~/api/calls";
import { ask } from "~/api/client";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

type OperatorRow = RowOf<"GET /api/v1/admin/operators">;

const CHANGE = "PATCH /api/v1/admin/operators/{operator_id}";

const ENABLE_NOTE =
  "A second operator has to approve this. Their old authenticator no longer works: set up a new one at the command line.";

/** Operators and their roles; a second operator approves each change of roles. */
export default function OperatorsPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/operators"
      noun="operator"
      sortedBy={{ title: "Name" }}
      empty="No operators"
      beside={
        <Action
          call="POST /api/v1/admin/operators"
          text="New operator"
          variant="primary"
          note="The member becomes an operator once a second operator approves."
        />
      }
      columns={[
        { title: "Name", value: (operator) => operator.name },
        { title: "Email", value: (operator) => operator.email },
        { title: "Roles", value: (operator) => operator.roles.map(labelOf).join(", ") },
        { title: "Since", minor: true, as: "moment", value: (operator) => operator.createdAt },
        { title: "State", as: "state", value: stateOf },
      ]}
      actions={(operator) => (
        <>
          <Action
            call={CHANGE}
            inPath={{ operator_id: operator.id }}
            fields={["roles", "reason"]}
            text="Change roles"
            header={`Change roles of ${operator.name}`}
            current={operator}
            reread={() => reread(operator.id)}
          />
          <Action
            call={CHANGE}
            inPath={{ operator_id: operator.id }}
            fields={["reason"]}
            fixed={{ disabled: !operator.disabled }}
            text={operator.disabled ? "Let in again" : "Disable"}
            header={
              operator.disabled ? `Let ${operator.name} in again` : `Disable ${operator.name}`
            }
            variant={operator.disabled ? "secondary" : "danger"}
            note={operator.disabled ? ENABLE_NOTE : undefined}
            current={operator}
            reread={() => reread(operator.id)}
          />
        </>
      )}
    />
  );
}

function stateOf({ disabled, canSignIn }: OperatorRow): string {
  if (disabled) {
    return "disabled";
  }
  return canSignIn ? "active" : "waits_for_an_authenticator";
}

async function reread(id: string): Promise<OperatorRow | undefined> {
  const { rows } = await ask("GET /api/v1/admin/operators", { inQuery: { limit: 100 } });
  return rows.find((operator) => operator.id === id);
}
