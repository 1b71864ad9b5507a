import { createContext, use } from "react";
import type { components } from "@/api/schema.gen";
import { type Call, factsOf } from "~/api/calls";

/** The signed-in operator: identity, rights and when the session ends. */
export type Operator = components["schemas"]["OperatorMe"];

export const OperatorContext = createContext<Operator | null>(null);

/** The operator who is signed in. */
export function useOperator(): Operator {
  const operator = use(OperatorContext);
  if (operator === null) {
    throw new Error("useOperator is only for what stands behind the gate");
  }
  return operator;
}

/** Whether an operator holds the right that `call` requires. */
export function mayDo(operator: Operator, call: Call): boolean {
  const { right } = factsOf(call);
  return right === null || operator.rights.some((held) => held === right);
}

/** Whether the operator who is signed in may use `call`. */
export function useMay(call: Call): boolean {
  return mayDo(useOperator(), call);
}
