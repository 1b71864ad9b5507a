/** The back office's storage keys in its tab. */
export interface OperatorSession {
  token: string;
}

export const OPERATOR_SESSION = "operator";

/** The storage key of the operator's saved filters on this device. */
export const OPERATOR_VIEWS = "back-office-views";

/** Screens that are a placeholder for members and exist for operators. */
const OFFICE_PATHS = ["/backups", "/logs"];

/** Whether this tab is signed in at the back office. */
export function hasOperatorSession(): boolean {
  try {
    return sessionStorage.getItem(OPERATOR_SESSION) !== null;
  } catch {
    return false; // storage is forbidden here, so nothing was stored in it
  }
}

/** The back office's path for a member path, or null. */
export function officePath(path: string): string | null {
  return OFFICE_PATHS.includes(path) ? `/admin${path}` : null;
}
