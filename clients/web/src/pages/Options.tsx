/** A form made from a game's option schema. */
import type { JSX } from "preact";
import { maybe, t } from "../i18n/index";
import { Stepper } from "../table/input/Builder";
import type { GameInfo, Room } from "../net/wire";
import { Segments, Switch } from "./Settings";

interface Schema {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
  prefixItems?: Schema[];
}
type Values = Record<string, unknown>;

export function fieldsOf(game: GameInfo): [string, Schema][] {
  const root = game.options as { $ref?: string; $defs?: Record<string, { properties?: Record<string, Schema> }>; properties?: Record<string, Schema> };
  const name = root.$ref?.split("/").pop();
  const found = (name ? root.$defs?.[name]?.properties : root.properties) ?? {};
  return Object.entries(found);
}
export const defaultsOf = (game: GameInfo): Values => Object.fromEntries(fieldsOf(game).map(([key, schema]) => [key, schema.default]));

const unitOf = (key: string): string => (key.endsWith("_seconds") ? " s" : key.endsWith("_ms") ? " ms" : "");
const stepOf = (schema: Schema): number => {
  const span = (schema.maximum ?? 10) - (schema.minimum ?? 0);
  return span > 5000 ? 500 : span > 300 ? 5 : 1;
};

function Field({ name, label, schema, value, set }: { name: string; label: string; schema: Schema; value: unknown; set: (value: unknown) => void }): JSX.Element {
  if (schema.type === "boolean") return <Switch label={label} on={Boolean(value)} set={set} />;
  if (schema.enum) return <Segments label={label} value={String(value)} set={set} of={schema.enum.map((it) => [String(it), maybe(`choice.${name}.${String(it)}`, String(it).replaceAll("_", " "))] as const)} />;
  if (schema.prefixItems && Array.isArray(value))
    return (
      <fieldset class="stack">
        <legend>{label}</legend>
        {schema.prefixItems.map((part, n) => (
          <Stepper key={n} label={maybe(`option.${name}.${n}`, String(n + 2))} value={Number(value[n])} least={part.minimum ?? 0} most={part.maximum ?? 100} set={(it) => set(value.map((old, i) => (i === n ? it : old)))} />
        ))}
      </fieldset>
    );
  return <Stepper label={label} value={Number(value)} least={schema.minimum ?? 0} most={schema.maximum ?? 1_000_000} by={stepOf(schema)} unit={unitOf(name)} set={set} />;
}

export function OptionsForm({ game, value, set }: { game: GameInfo; value: Values; set: (value: Values) => void }): JSX.Element {
  const fields = fieldsOf(game);
  const changed = fields.filter(([key, schema]) => JSON.stringify(value[key]) !== JSON.stringify(schema.default)).map(([key]) => key);
  return (
    <div class="stack options">
      {fields.map(([key, schema]) => (
        <div key={key} class={changed.includes(key) ? "changedoption" : ""}>
          <Field name={key} label={maybe(`option.${game.key}.${key}`, maybe(`option.${key}`, schema.description ?? key.replaceAll("_", " ")))} schema={schema} value={value[key]} set={(it) => set({ ...value, [key]: it })} />
        </div>
      ))}
      {changed.length > 0 && <button class="btn quiet" onClick={() => set(defaultsOf(game))}>{t("resetOptions", { n: changed.length })}</button>}
    </div>
  );
}

/** The options that this table plays with. */
export const OptionsList = ({ room }: { room: Room }): JSX.Element => (
  <dl class="facts">
    {Object.entries(room.options).map(([key, value]) => (
      <div class="row between" key={key}>
        <dt>{maybe(`option.${room.game}.${key}`, maybe(`option.${key}`, key.replaceAll("_", " ")))}</dt>
        <dd>{typeof value === "boolean" ? t(value ? "yes" : "no") : maybe(`choice.${key}.${String(value)}`, `${String(value).replaceAll("_", " ")}${unitOf(key)}`)}</dd>
      </div>
    ))}
  </dl>
);
