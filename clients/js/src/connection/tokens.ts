/** Where the token of a seat is kept, so that a reload or a second start resumes the seat. */

export interface TokenStore {
  get(): string | null;
  set(token: string | null): void;
}

/** A store that lasts as long as the program. */
export function memoryTokens(token: string | null = null): TokenStore {
  return {
    get: () => token,
    set: (next) => void (token = next),
  };
}

/** `localStorage` or `sessionStorage`. Where storage is forbidden it behaves like `memoryTokens`. */
export function browserTokens(
  key = "photofinish.token",
  storage?: Pick<Storage, "getItem" | "setItem" | "removeItem">,
): TokenStore {
  const memory = memoryTokens();
  const place = (): Pick<Storage, "getItem" | "setItem" | "removeItem"> => storage ?? globalThis.localStorage;
  return {
    get() {
      try {
        return place().getItem(key);
      } catch {
        return memory.get();
      }
    },
    set(token) {
      memory.set(token);
      try {
        if (token === null) place().removeItem(key);
        else place().setItem(key, token);
      } catch {
        // Storage is forbidden or full: the seat lasts as long as the page.
      }
    },
  };
}
