/** What the back office keeps in its tab, and under which name. */
export interface OperatorSession {
  token: string;
}

export const OPERATOR_SESSION = "operator";

/** The name under which the back office keeps filters on this device: they are an operator's. */
export const OPERATOR_VIEWS = "back-office-views";

/** Screens that are a placeholder to members and that operators have. */
const OFFICE_PATHS = ["/backups", "/logs"];

/** Whether this tab is signed in at the back office. */
export function hasOperatorSession(): boolean {
  try {
    return sessionStorage.getItem(OPERATOR_SESSION) !== null;
  } catch {
    return false; // storage is forbidden here, so nothing was kept in it
  }
}

/** Where the back office has what `path` names to members, or null. */
export function officePath(path: string): string | null {
  return OFFICE_PATHS.includes(path) ? `/admin${path}` : null;
}
