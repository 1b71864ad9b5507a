/** The drawn crest, in a square of 48: the whole shield, and its right half over it. */
export const CREST_SIDE = 48;
export const SHIELD = "M24 2 43 8v16c0 11-8 18-19 22C13 42 5 35 5 24V8z";
export const SHIELD_HALF = "M24 2 43 8v16c0 11-8 18-19 22z";
/** The ring with the letters. */
export const RING = { x: 24, y: 23, radius: 11, stroke: 2 };
export const LETTERS = { x: 24, y: 28, size: 13 };
