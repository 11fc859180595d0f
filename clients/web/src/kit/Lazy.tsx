/** A page that is loaded when it is opened. */
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
