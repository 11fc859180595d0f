import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  resolve: {
    // The SDK is built from its sources, with the packages of this folder: one install builds the page.
    alias: { "@photofinish/client": fileURLToPath(new URL("../js/src/index.ts", import.meta.url)) },
    dedupe: ["@msgpack/msgpack", "@noble/hashes"],
  },
  build: {
    outDir: fileURLToPath(new URL("../../server/photofinish/web", import.meta.url)), // into the wheel, beside the server
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the policy of the page allows no data: fonts or scripts
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8765" } },
});
