/** A figure that has not come: nothing is claimed in its place. */
export function Unknown() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">not known yet</span>
    </>
  );
}
