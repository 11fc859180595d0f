/** The way to a table by its QR code: read here where the browser can do so, else with the camera of the phone. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { Sheet } from "../kit/Sheet";
import { go } from "../route";

interface Detector {
  detect: (from: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}
const EVERY_MS = 250;

/** The code of a table in the text of a QR code: a link to it on any server, or the five letters alone. */
const codeIn = (text: string): string | undefined => /(?:^|\/t\/)([A-Z]{5})$/.exec(text.trim())?.[1];

export function Scan({ onClose }: { onClose: () => void }): JSX.Element {
  const video = useRef<HTMLVideoElement>(null);
  const Known = (globalThis as { BarcodeDetector?: new (how: { formats: string[] }) => Detector }).BarcodeDetector;
  const [canScan, setCanScan] = useState(Boolean(Known && (navigator as { mediaDevices?: unknown }).mediaDevices));
  useEffect(() => {
    if (!canScan || !Known) return;
    const detector = new Known({ formats: ["qr_code"] });
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const look = async (): Promise<void> => {
      const found = video.current ? await detector.detect(video.current).catch(() => []) : [];
      const code = found.map((it) => codeIn(it.rawValue)).find(Boolean);
      if (!isOpen) return;
      if (code) return go(`/t/${code}`);
      timer = setTimeout(() => void look(), EVERY_MS);
    };
    navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }).then(
      async (it) => {
        stream = it;
        if (!isOpen || !video.current) return it.getTracks().forEach((track) => track.stop());
        video.current.srcObject = it;
        // Until it plays there is nothing to detect, and `look` tries again.
        video.current.play().catch(() => undefined);
        await look();
      },
      () => setCanScan(false),
    );
    return () => {
      isOpen = false;
      clearTimeout(timer);
      stream?.getTracks().forEach((track) => track.stop());
    };
  }, [canScan]);
  return (
    <Sheet title={t("scan")} onClose={onClose}>
      {canScan && <video ref={video} class="scanview" muted playsInline />}
      <p>{canScan ? t("scanHere") : t("scanElsewhere")}</p>
    </Sheet>
  );
}
