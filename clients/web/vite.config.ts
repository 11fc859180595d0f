import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Writes the names of all files of the build into the service worker, which keeps them for times without a server. */
const offline = (): Plugin => ({
  name: "offline",
  apply: "build",
  generateBundle(_options, bundle) {
    const built = Object.keys(bundle).filter((name) => name !== "index.html");
    const files = ["/", ...[...built, ...readdirSync(here("public"))].map((name) => `/${name}`)].sort();
    const mark = createHash("sha256").update(files.join()).digest("hex").slice(0, 10);
    const source = readFileSync(here("src/sw.js"), "utf8").replace('["/"]', JSON.stringify(files)).replace("photofinish-0", `photofinish-${mark}`);
    this.emitFile({ type: "asset", fileName: "sw.js", source });
  },
});

const TEXTS = /\.(html|js|css|svg|webmanifest)$/;
const SMALL = 1000;

/** Writes `NAME.gz` beside each text file: the server need not compress them at each start (`gateway/http/web.py`). */
const packed = (folder: string): Plugin => ({
  name: "packed",
  apply: "build",
  closeBundle() {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!TEXTS.test(name)) continue;
      const body = readFileSync(join(folder, name));
      if (body.length >= SMALL) writeFileSync(join(folder, `${name}.gz`), gzipSync(body, { level: 9 }));
    }
  },
});

const PAGE = here("../../server/photofinish/web"); // into the wheel, beside the server

export default defineConfig({
  base: "/",
  plugins: [offline(), packed(PAGE)],
  resolve: {
    // The SDK is built from its sources, with the packages of this folder: one install builds the page.
    alias: { "@photofinish/client": here("../js/src/index.ts") },
    dedupe: ["@msgpack/msgpack", "@noble/hashes", "@noble/ed25519"],
  },
  build: {
    outDir: PAGE,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the policy of the page allows no data: fonts or scripts
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8765" } },
});
