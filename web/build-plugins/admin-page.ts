import type { Plugin } from "vite";

const BASE = /^\/admin(?:\/|$)/;
const PAGE = "/admin/index.html";

/** In development, answer a browser on all paths of the back office with its page. */
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
