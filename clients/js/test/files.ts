/** Where the files of `protocol/` are, seen from the compiled tests in `build/test`. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PROTOCOL = new URL("../../../../protocol/", import.meta.url);

export function protocolText(path: string): string {
  return readFileSync(new URL(path, PROTOCOL), "utf8");
}

export function protocolFiles(folder: string, ending: string): string[] {
  return readdirSync(fileURLToPath(new URL(folder, PROTOCOL))).filter((it) => it.endsWith(ending));
}

export function jsonLines(path: string): any[] {
  return protocolText(path)
    .trim()
    .split("\n")
    .map((it) => JSON.parse(it));
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
