/** A part of the page that is loaded when it is first needed. */
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";

export function Lazy({ load }: { load: () => Promise<ComponentType> }): JSX.Element {
  const [Page, setPage] = useState<ComponentType | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    load().then((it) => setPage(() => it), () => setFailed(true));
  }, []);
  if (Page) return <Page />;
  return <main class="page center"><p class="small" role="status">{failed ? t("offline") : t("loading")}</p></main>;
}

/** A component in a file of its own. Nothing is drawn until it is there. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let found: ComponentType<P> | null = null;
  return function Later(props: P): JSX.Element | null {
    const [, again] = useState(0);
    useEffect(() => {
      if (!found) void load().then((it) => ((found = it), again(1)), () => undefined);
    }, []);
    const Found = found;
    return Found ? <Found {...props} /> : null;
  };
}
