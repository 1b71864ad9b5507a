/** The states of the six geopolitical zones, as the delivery fees name them. */
export const ZONES: readonly { zone: string; states: readonly string[] }[] = [
  { zone: "South West", states: ["Ekiti", "Lagos", "Ogun", "Ondo", "Osun", "Oyo"] },
  { zone: "South East", states: ["Abia", "Anambra", "Ebonyi", "Enugu", "Imo"] },
  {
    zone: "South South",
    states: ["Akwa Ibom", "Bayelsa", "Cross River", "Delta", "Edo", "Rivers"],
  },
  {
    zone: "North Central",
    states: ["Benue", "FCT", "Kogi", "Kwara", "Nasarawa", "Niger", "Plateau"],
  },
  { zone: "North East", states: ["Adamawa", "Bauchi", "Borno", "Gombe", "Taraba", "Yobe"] },
  {
    zone: "North West",
    states: ["Jigawa", "Kaduna", "Kano", "Katsina", "Kebbi", "Sokoto", "Zamfara"],
  },
];

const OTHER = "Other states";

/** Items by the zone of their state, in the order of the zones; unknown states come last. */
export function byZone<Item>(
  items: readonly Item[],
  stateOf: (item: Item) => string,
): { zone: string; items: Item[] }[] {
  const zoneOf = (item: Item) =>
    ZONES.find(({ states }) => states.includes(stateOf(item)))?.zone ?? OTHER;
  return [...ZONES.map(({ zone }) => zone), OTHER]
    .map((zone) => ({ zone, items: items.filter((item) => zoneOf(item) === zone) }))
    .filter((group) => group.items.length > 0);
}
