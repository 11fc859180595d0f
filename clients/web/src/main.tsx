import { render } from "preact";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/kit.css";
import "./styles/pages.css";
import { App } from "./app";

render(<App />, document.getElementById("app") as HTMLElement);
// The worker fetches the whole page for offline use, but only after this page has loaded.
if ("serviceWorker" in navigator && import.meta.env.PROD)
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined));
