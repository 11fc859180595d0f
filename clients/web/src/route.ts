/** Addresses: / · /t/CODE · /t/CODE?watch · /r/CODE/N · /practise · /settings · /rules/GAME */
import { signal } from "@preact/signals";
import { sheet } from "./net/store";

const read = (): { path: string[]; query: URLSearchParams; hash: string } => ({
  path: location.pathname.split("/").filter(Boolean),
  query: new URLSearchParams(location.search),
  hash: location.hash.slice(1),
});
export const route = signal(read());

export function go(to: string, replace = false): void {
  if (to !== location.pathname + location.search + location.hash) history[replace ? "replaceState" : "pushState"](null, "", to);
  route.value = read();
  scrollTo(0, 0);
}

addEventListener("popstate", () => {
  // Back closes a sheet first.
  if (sheet.value && route.value.path[0] === "t") {
    sheet.value = null;
    history.pushState(null, "", `/${route.value.path.join("/")}`);
    return;
  }
  route.value = read();
});
addEventListener("hashchange", () => (route.value = read()));

/** Links inside the page change the address without loading the page again. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest?.("a");
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download") || link.dataset.reload !== undefined) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
