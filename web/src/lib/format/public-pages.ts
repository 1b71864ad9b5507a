/** The legal pages, rendered by the server; footers name them as the specification does. */
export const publicPages = [
  { title: "Privacy", address: "/legal/privacy" },
  { title: "Refund", address: "/legal/refund" },
  { title: "Terms and Conditions", address: "/legal/terms" },
] as const;

export const termsPage = publicPages[2].address;
