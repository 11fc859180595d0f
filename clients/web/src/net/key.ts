/** The key of this browser. Loaded only if its user takes part in an event. */
export { browserKey, keepBrowserKey, PlayerKey } from "@photofinish/client";
