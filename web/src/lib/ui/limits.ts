/** The maximum lengths of fields, as on the server; its tests compare the two. */
export const LONGEST = {
  billing: { firstName: 100, lastName: 100, phone: 20, address: 300 },
  profile: { firstName: 60, lastName: 60 },
  settlement: { bankName: 100 },
  nextOfKin: { nextOfKinsName: 100, nextOfKinsAddress: 300 },
  moment: { title: 120, content: 2000 },
};

/**
 * Far above the server's 128: a field that cuts a pasted password short would lock its owner out.
 */
export const MAX_PASSWORD_INPUT_LENGTH = 1024;
