/** Checks a decoded frame against the generated shapes and fills in the defaults that the server left out. */

import { MESSAGE_SHAPES, SHAPES, type ServerMessage, type Shape } from "./messages.js";

/** A frame that is not a message of the protocol. */
export class Malformed extends Error {
  override name = "Malformed";
}

type Plain = Record<string, unknown>;
export type Shapes = typeof SHAPES;

/** The message with all defaults filled in, or null for a type that this client does not know (ignore it). */
export function readMessage(plain: unknown): ServerMessage | null {
  if (!isPlain(plain) || typeof plain["t"] !== "string") throw new Malformed("the frame has no type `t`");
  const name = Object.hasOwn(MESSAGE_SHAPES, plain["t"]) ? MESSAGE_SHAPES[plain["t"]] : undefined;
  return name === undefined ? null : readStruct<ServerMessage>(SHAPES, name, plain, plain["t"]);
}

/** A struct of these shapes: its fields in the order of the shape, unknown ones left out, defaults filled in. */
export function readStruct<T>(shapes: Shapes, name: string, value: unknown, where: string): T {
  if (!isPlain(value)) throw new Malformed(`${where}: expected an object`);
  const found: Plain = {};
  for (const [key, field] of Object.entries(shapes[name] ?? {})) {
    if (Object.hasOwn(value, key)) found[key] = read(shapes, field.is, value[key], `${where}.${key}`);
    else if ("else" in field) found[key] = structuredClone(field.else);
    else throw new Malformed(`${where}.${key} is missing`);
  }
  return found as T;
}

function read(shapes: Shapes, shape: Shape, value: unknown, where: string): unknown {
  switch (shape) {
    case "any":
      return value;
    case "integer":
      if (Number.isSafeInteger(value)) return value;
      throw new Malformed(`${where}: expected a whole number`);
    case "string":
    case "boolean":
      if (typeof value === shape) return value;
      throw new Malformed(`${where}: expected a ${shape}`);
    case "object":
      if (isPlain(value)) return value;
      throw new Malformed(`${where}: expected an object`);
  }
  if ("ref" in shape) return readStruct(shapes, shape.ref, value, where);
  if ("maybe" in shape) return value === null ? null : read(shapes, shape.maybe, value, where);
  if ("by" in shape) return readTagged(shapes, shape.by, shape.of, value, where);
  if ("map" in shape) {
    if (!isPlain(value)) throw new Malformed(`${where}: expected an object`);
    const rows = Object.entries(value).map(([key, it]) => [
      key,
      read(shapes, shape.map, it, `${where}.${key}`),
    ]);
    return Object.fromEntries(rows);
  }
  if (!Array.isArray(value)) throw new Malformed(`${where}: expected a list`);
  return value.map((it, place) => read(shapes, shape.list, it, `${where}[${place}]`));
}

/** A struct of a union. An unknown one is not changed: version 1 may add some. */
function readTagged(
  shapes: Shapes,
  by: string,
  of: Readonly<Record<string, string>>,
  value: unknown,
  where: string,
): unknown {
  if (!isPlain(value) || typeof value[by] !== "string") throw new Malformed(`${where} has no tag \`${by}\``);
  const name = Object.hasOwn(of, value[by]) ? of[value[by]] : undefined;
  return name === undefined ? value : readStruct(shapes, name, value, where);
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
