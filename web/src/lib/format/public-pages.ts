const publicSite = import.meta.env.VITE_PUBLIC_SITE_URL ?? "/legal";
const ending = import.meta.env.VITE_PUBLIC_SITE_URL ? "" : ".html";

/** The pages of the public site; without one the app's own pages name the publisher. */
export const publicPages = [
  { title: "Privacy", address: `${publicSite}/privacy${ending}` },
  { title: "Refund", address: `${publicSite}/refund${ending}` },
  { title: "Terms and Conditions", address: `${publicSite}/terms${ending}` },
] as const;

export const termsPage = publicPages[2].address;
