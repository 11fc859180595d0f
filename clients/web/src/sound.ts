/** Sounds are generated, not loaded. There is no sound before the first tap, and never one for a trigger. */
import { settings } from "./settings";

let audio: AudioContext | null = null;
const context = (): AudioContext | null => {
  if (!settings.value.sound || !navigator.userActivation?.hasBeenActive) return null;
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") void audio.resume();
    return audio;
  } catch {
    return null;
  }
};

function tone(hertz: number, ms: number, after = 0, type: OscillatorType = "triangle", loud = 0.12): void {
  const it = context();
  if (!it) return;
  const start = it.currentTime + after / 1000;
  const from = it.createOscillator();
  const gain = it.createGain();
  from.type = type;
  from.frequency.value = hertz;
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + ms / 1000);
  from.connect(gain).connect(it.destination);
  from.start(start);
  from.stop(start + ms / 1000);
}

function noise(ms: number): void {
  const it = context();
  if (!it) return;
  const frames = Math.floor((it.sampleRate * ms) / 1000);
  const buffer = it.createBuffer(1, frames, it.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) * 0.06;
  const from = it.createBufferSource();
  from.buffer = buffer;
  from.connect(it.destination);
  from.start();
}

export const sounds = {
  draw: () => noise(60),
  land: () => tone(90, 70, 0, "sine", 0.25),
  turn: () => (tone(659, 120), tone(880, 180, 120)),
  won: () => (tone(880, 110), tone(1109, 110, 100), tone(1319, 220, 200)),
  lost: () => tone(659, 160),
  refused: () => tone(247, 180, 0, "square", 0.05),
  tick: () => tone(1000, 15, 0, "sine", 0.08),
  victory: () => [523, 659, 784, 1047].forEach((hertz, n) => tone(hertz, 700, n * 60)),
};

export function buzz(pattern: number | number[]): void {
  if (settings.value.vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}
