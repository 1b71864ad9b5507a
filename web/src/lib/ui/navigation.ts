/** Leave the app for `path` by a full page load: nothing of the old session stays in memory. */
export function leaveTo(path: string): void {
  window.location.assign(path);
}
