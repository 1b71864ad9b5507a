/** A dash for a figure that has not loaded. */
export function Unknown() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">not known yet</span>
    </>
  );
}
