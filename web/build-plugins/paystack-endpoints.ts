import type { Plugin } from "vite";

const LIBRARY = /@paystack[\\/]inline-js[\\/]es[\\/]inline\.js/;
const ENDPOINT_NAMES = {
  "https://checkout.paystack.com/": "checkoutUrl",
  "https://standard.paystack.co/": "paymentBaseUrl",
  "https://api.paystack.co/": "paystackApiUrl",
};
const ABSOLUTE_PATH = '"/checkout/request_inline"';
const EXPECTED_LITERALS = 4;

/**
 * Point the provider's library, the four literals in `code`, at
 * `globalThis.__PAYSTACK_ENDPOINTS__`.
 *
 * The official address stays the fallback. The path loses its leading slash, so that a base with a
 * path (the sandbox) is kept.
 */
export function withRunTimeEndpoints(code: string): { code: string; literals: number } {
  let literals = 0;
  let changed = code.replaceAll(ABSOLUTE_PATH, () => {
    literals += 1;
    return '"checkout/request_inline"';
  });
  for (const [address, name] of Object.entries(ENDPOINT_NAMES)) {
    changed = changed.replaceAll(`"${address}"`, () => {
      literals += 1;
      return `((globalThis.__PAYSTACK_ENDPOINTS__||{}).${name}||"${address}")`;
    });
  }
  return { code: changed, literals };
}

/**
 * Make the provider's addresses configurable at run time; fails the build if the library changed.
 */
export function paystackEndpoints(): Plugin {
  return {
    name: "paystack-endpoints",
    enforce: "pre",
    transform(code, id) {
      if (!LIBRARY.test(id)) {
        return null;
      }
      const result = withRunTimeEndpoints(code);
      if (result.literals !== EXPECTED_LITERALS) {
        this.error(
          `@paystack/inline-js changed: ${result.literals} of ${EXPECTED_LITERALS} addresses found`,
        );
      }
      return { code: result.code, map: null };
    },
  };
}
