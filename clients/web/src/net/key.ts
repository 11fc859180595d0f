/** The key of this browser, loaded only by those who take part in an event. */
export { browserKey } from "@photofinish/client";
