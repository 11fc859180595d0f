/** A sheet: from below on a phone, in the middle on a laptop. Keeps the focus inside and returns it when it closes. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./icons";

const FOCUSABLE = 'button:not(:disabled), [href], input:not(:disabled), select, textarea, [tabindex="0"]';

export function Sheet(props: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const first = box.current?.querySelector<HTMLElement>("[autofocus]") ?? box.current;
    first?.focus({ preventScroll: true });
    return () => before?.isConnected && before.focus({ preventScroll: true });
  }, []);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      event.stopPropagation();
      props.onClose();
    } else if (event.key === "Tab" && box.current) {
      const all = [...box.current.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((it) => it.offsetParent !== null);
      const first = all[0];
      const last = all[all.length - 1];
      const now = document.activeElement;
      if (event.shiftKey && (now === first || now === box.current)) last?.focus();
      else if (!event.shiftKey && now === last) first?.focus();
      else return;
      event.preventDefault();
    }
  };
  return (
    <div class="scrim" onClick={(event) => event.target === event.currentTarget && props.onClose()}>
      <div ref={box} class={`sheet ${props.wide ? "wide" : ""}`} role="dialog" aria-modal="true" aria-label={props.title} tabIndex={-1} onKeyDown={onKey}>
        <header class="sheethead">
          <h2>{props.title}</h2>
          <button class="iconbtn" onClick={props.onClose} aria-label={t("close")}>
            <Icon name="close" />
          </button>
        </header>
        <div class="sheetbody">{props.children}</div>
      </div>
    </div>
  );
}
