/** What a styled game adds over the generic table. Missing parts come from the generic one. */
import type { ComponentChildren, ComponentType } from "preact";
import type { Face } from "../kit/Card";
import type { Happened, Move, Place, Room, View } from "../net/wire";
import type { Way } from "./input/aim";
import type { Aim } from "./state";

/** One view with everything a drawing needs to know about it. */
export interface Scene<V = any> {
  v: V;
  msg: View;
  you: number | null;
  /** You, or seat 0 for a watcher: who sits at the bottom. */
  me: number;
  /** The other seats, clockwise from your left. */
  others: number[];
  seats: Place[];
  room: Room | null;
  name: (seat: number) => string;
  /** The seats that the table waits for. */
  awaited: Set<number>;
  narrow: boolean;
}
export interface Prompt {
  title: string;
  sub?: string;
}
/** How a picture plays at one place: it appears, rolls like a die, rings like a bell, bumps, falls, rises like smoke, or bursts. */
export type Play = "pop" | "roll" | "ring" | "bump" | "fall" | "rise" | "burst";
export interface Flight {
  from: string;
  to: string;
  face?: Face | null;
  back?: "deck" | "white" | "black";
  /** A drawing that flies instead of a card: a ship, a fish, a coin. */
  pic?: string;
  colour?: string;
  /** Objects on the way. */
  via?: string[];
  /** It plays at `to` instead of flying there. */
  play?: Play;
  /** A figure under the picture, or on a die. */
  label?: string;
}
/** A picture that plays at one object. */
export const effect = (to: string, pic: string, play: Play, colour = "white", label?: string): Flight => ({ from: to, to, pic, play, colour, label });
export interface Hint {
  id: string;
  when: (scene: Scene) => boolean;
}
export interface GameModule {
  aim: Partial<Aim>;
  /** Cards before each seat (Cambio, Kodiak), or a line of badges. */
  layout: "slots" | "badges";
  /** The board shows every seat itself, with its name, clock and score. */
  seatsOnBoard?: boolean;
  subtitle?: (scene: Scene) => string;
  prompt?: (scene: Scene) => Prompt | null;
  Board: ComponentType<{ s: Scene }>;
  Own?: ComponentType<{ s: Scene }>;
  /** Further things among the buttons. */
  Extra?: ComponentType<{ s: Scene }>;
  Tile?: ComponentType<{ s: Scene; seat: number }>;
  score?: (scene: Scene, seat: number) => ComponentChildren;
  /** A score so short that it stands beside the name on a badge. */
  shortScore?: boolean;
  /** A few words under a seat's name. */
  note?: (scene: Scene, seat: number) => ComponentChildren;
  points?: (scene: Scene) => { rows: { seat: number; cells: ComponentChildren[]; total: number | string }[]; heads: ComponentChildren[]; low: boolean; /** Where the figures are no points. */ title?: string; note?: string; figure?: string };
  turn: (scene: Scene) => number | null;
  /** The card that a race is about. */
  trigger?: (view: View) => Face | null;
  /** Further moves as buttons, beside those that the picked objects name. */
  also?: (scene: Scene, ways: Way[]) => Way[];
  /** Ways that need no button: another one says as much. */
  skip?: (scene: Scene, way: Way) => boolean;
  label?: (scene: Scene, way: Way) => { text: string; sub?: string } | null;
  look?: (scene: Scene, way: Way) => "main" | "race" | "quiet" | "";
  /** A value of a choice in words. */
  say?: (scene: Scene, move: string, field: string, value: unknown) => string | null;
  /** Moves that are asked for once more in the button. */
  twice?: readonly string[];
  /** A move for an object that is not lit, so that the server explains the rule. */
  guess?: (scene: Scene, key: string) => Move | null;
  /** What a key means: an object, or a whole move. */
  keys?: (scene: Scene, code: string) => string | Way | null;
  /** The key of a move's button. */
  hotkey?: (way: Way) => string | null;
  /** Games with cards before each seat: the letters of the slots. */
  codes?: readonly string[];
  fly?: (scene: Scene, event: Happened) => Flight[];
  hints?: readonly Hint[];
}
