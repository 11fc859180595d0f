/** Keys and proofs (T5, T6), with the fixtures that the Python SDK is tested with. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { hostOf, PlayerKey, Session } from "../../src/index.js";
import { protocolText } from "../files.js";

const told = JSON.parse(protocolText("identity.json")) as Record<string, string>;
const of = (name: string): string => told[name] ?? "";

for (const webCrypto of [true, false])
  test(`T6: the proof and the seal are those of the fixture ${webCrypto ? "by WebCrypto" : "by the library"}`, async () => {
    const key = await PlayerKey.fromSeed(of("seed"), { webCrypto });
    const proof = await key.proof(of("url"), of("challenge"), of("name"));

    assert.equal(key.publicKey, of("key"));
    assert.deepEqual(proof, { t: "identify", key: of("key"), name: of("name"), signature: of("signature") });
    assert.equal(await key.seal(of("head")), of("seal"));
  });

test("T6: where WebCrypto has no Ed25519 the library signs", async (context) => {
  const subtle = crypto.subtle;
  context.after(() => Object.defineProperty(crypto, "subtle", { value: subtle, configurable: true }));
  Object.defineProperty(crypto, "subtle", { value: undefined, configurable: true });
  const key = await PlayerKey.fromSeed(of("seed"));

  assert.equal(await key.seal(of("head")), of("seal"));
});

test("T5: every new key is different, can be restored from its seed, and shows only its public part", async () => {
  const [one, two] = [await PlayerKey.create(), await PlayerKey.create()];

  assert.notEqual(one.publicKey, two.publicKey);
  assert.equal((await PlayerKey.fromSeed(`${one.seed}\n`)).publicKey, one.publicKey);
  assert.ok(!JSON.stringify({ one }).includes(one.seed));
  await assert.rejects(PlayerKey.fromSeed("abcd"), RangeError);
});

test("T6: the host is the one that was dialled", () => {
  assert.equal(hostOf("ws://example.org"), "example.org");
  assert.equal(hostOf("wss://example.org:443/x"), "example.org");
  assert.equal(hostOf("wss://example.org:8443"), "example.org:8443");
  assert.equal(hostOf("ws://[::1]:8765"), "[::1]:8765");
});

test("T6: a proof that a cut interrupted is not sent again, because the next socket has another challenge", async () => {
  const session = new Session("Ada", "test", "token");
  const proof = await (await PlayerKey.create()).proof("ws://example.org", of("challenge"), "Ada");
  const [ticket] = session.request(proof);

  assert.deepEqual(session.cut(), [{ do: "lost", ticket }]);
});
