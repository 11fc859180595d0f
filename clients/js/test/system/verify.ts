/** Verifies every replay (`*.json`) and judges every race again (`*.race`) in a folder, and prints what it found. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyReplay } from "../../src/verify/index.js";
import { hexToBytes } from "../../src/verify/chance.js";
import { readRecord } from "../../src/verify/record.js";
import { recompute } from "../../src/verify/recompute.js";

const folder = process.argv[2] ?? ".";
const found: Record<string, unknown> = {};
for (const name of readdirSync(folder)) {
  const text = readFileSync(join(folder, name), "utf8");
  if (name.endsWith(".json")) found[name] = verifyReplay(text);
  if (!name.endsWith(".race")) continue;
  const { record, coin } = JSON.parse(text);
  found[name] = recompute(readRecord(record), hexToBytes(coin));
}
console.log(JSON.stringify(found));
