/** The address of a server, and the access token that its operator may require. */

const SCHEMES: Readonly<Record<string, string>> = { http: "ws", https: "wss", ws: "ws", wss: "wss" };
const TOKEN_PROTOCOL = "photofinish.token.";

export class Address {
  constructor(
    readonly url: string,
    readonly accessToken: string = "",
  ) {}

  /** The subprotocols to offer. A browser cannot send a header, so the access token is one of them. */
  protocols(subprotocol: string): string[] {
    return this.accessToken ? [subprotocol, TOKEN_PROTOCOL + this.accessToken] : [subprotocol];
  }

  /** Another node of the same server. Null if a secret would be sent there without encryption. */
  otherNode(url: string): Address | null {
    const there = new Address(address(url).url, this.accessToken);
    return this.url.startsWith("wss:") && !there.url.startsWith("wss:") ? null : there;
  }

  /** The address of a page of the same server. */
  page(path: string): string {
    return new URL(path, this.url.replace(/^ws/, "http")).href;
  }

  get headers(): Record<string, string> {
    return this.accessToken ? { Authorization: `Bearer ${this.accessToken}` } : {};
  }
}

/** Reads `localhost:8765`, `http://…`, `https://…`, `ws://…` and `ws://anybody:TOKEN@host`. */
export function address(url: string, accessToken?: string): Address {
  const [, scheme = "ws", rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(url) ?? [];
  const wanted = SCHEMES[scheme.toLowerCase()];
  if (wanted === undefined) throw new TypeError(`no websocket address: ${url}`);
  const parsed = new URL(`${wanted}://${rest}`);
  const token = accessToken ?? decodeURIComponent(parsed.password);
  parsed.username = parsed.password = "";
  parsed.hash = "";
  return new Address(parsed.href, token);
}
