/** Who this browser is in events: the connection with its key proved. */
import type { Photofinish } from "@photofinish/client";
import { browserKey } from "./key";
import { connect } from "./link";

export async function identified(): Promise<Photofinish> {
  const [key, it] = [await browserKey(), await connect()];
  await it.identify(key);
  return it;
}
