/** What a member taps in a minute: each with its name and how it is done. */
const STEPS = [];

export async function tapRound() {
  return STEPS;
}
