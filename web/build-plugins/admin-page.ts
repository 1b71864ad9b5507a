import type { Plugin } from "vite";

const BASE = /^\/admin(?:\/|$)/;
const PAGE = "/admin/index.html";

/** Development only: serve the back office's page on all of its paths. */
export function adminPage(): Plugin {
  return {
    name: "admin-page",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const asksForPage = request.headers.accept?.includes("text/html") === true;
        if (asksForPage && BASE.test(request.url ?? "")) {
          request.url = PAGE;
        }
        next();
      });
    },
  };
}
