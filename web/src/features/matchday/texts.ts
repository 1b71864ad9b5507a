export const NO_DATES = "No dates yet. Fixtures appear here when they are announced.";
export const NO_FIXTURES_OF_CLUB = "Your club has no fixtures yet";
