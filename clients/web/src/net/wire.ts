/** The messages, as the SDK types them. */
export type {
  Called,
  Clock,
  GameInfo,
  Happened,
  LagLine,
  Mark,
  Move,
  OneOf,
  Over,
  Place,
  RaceReport,
  RoomLine,
  RoomMessage as Room,
  ViewMessage as View,
} from "@photofinish/client";
import type { Offer as WireOffer, OneOf, SomeOf, Amounts } from "@photofinish/client";

export type Choice = OneOf | SomeOf | Amounts;
/** `awaited`: the table waits for this answer. `risky`: the rules have a penalty for it. Older servers send neither. */
export type Offer = WireOffer & { awaited?: boolean; risky?: boolean };
