/** What the back office keeps in its tab, and under which name. */
export interface OperatorSession {
  token: string;
}

export const OPERATOR_SESSION = "operator";
