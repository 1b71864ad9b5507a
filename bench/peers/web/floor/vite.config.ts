import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "../../../build-plugins/precompress.ts";

export default defineConfig({
  plugins: [react(), precompress()],
  build: { target: "es2022", sourcemap: false, reportCompressedSize: false },
});
