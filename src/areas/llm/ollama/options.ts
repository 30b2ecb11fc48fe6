/** Members that several endpoints of Ollama have. */

import type { JsonObject } from '#base/json-object.js';
import { array, openObject as object } from '#kit/input/fields/parts.js';
import { either, type Field, maybe, type Reader, reader } from '#kit/input/fields/reader.js';
import { boolean, decimal, integer, text } from '#kit/input/fields/values.js';
import { mistake, reject } from '../messages/mistake.js';
import { embeddingModel, isModel, type ModelName, modelNames, models } from '../messages/models.js';
import { admitAt, jsonSchema } from '../messages/schemas.js';
import { pathTo } from './faults.js';

const latest = /:latest$/;

/** A name may have the tag `latest`. */
export const plainName = (name: string): string => name.replace(latest, '');

export const knownNames = [...modelNames, embeddingModel];

export function modelNotFound(name: string): Error {
  const message = `model '${name.slice(0, 60)}' not found. GET /api/tags lists the models.`;
  return mistake(404, message, { param: 'model' });
}

/** Reads the name of a known model. An empty one is missing. */
export const modelOf = (status: 400 | 404): Reader<string> =>
  reader({ type: 'string', enum: knownNames }, (field): string => {
    const name = maybe(text())(field) ?? '';
    if (name === '' && status === 400) throw mistake(400, 'model is required', { param: 'model' });
    if (!knownNames.includes(plainName(name))) throw modelNotFound(name);
    return name;
  });

/** Throws for a model that does not write text. */
export function requireWriter(name: string, what: string): ModelName {
  const model = plainName(name);
  if (isModel(model)) return model;
  throw mistake(400, `"${name}" does not support ${what}. Use practice-1.`, { param: 'model' });
}

/** Returns whether the model thinks: by default, if it can. */
export function readThinking(name: string, think: boolean | string | undefined): boolean {
  const { canThink } = models[plainName(name) as ModelName];
  if (think === undefined || think === false) return canThink && think === undefined;
  if (canThink) return true;
  throw mistake(400, `"${name}" does not support thinking. Use practice-1-thinking.`, {
    param: 'think',
  });
}

const levels = ['low', 'medium', 'high', 'max'];
const thinkWords = 'true, false, "low", "medium", "high" or "max"';

const level = { schema: { type: 'string', enum: levels } };

export const think = maybe(
  either([boolean, level], ({ path, value }): boolean | string => {
    if (typeof value === 'boolean') return value;
    if (typeof value === 'string' && levels.includes(value)) return value;
    return reject(path, `must be ${thinkWords}.`);
  }),
);

const unitMs: Readonly<Record<string, number>> = {
  ...{ h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, µs: 1e-3, ns: 1e-6 },
};

const duration = /^[-+]?(?:0|(?:\d{1,9}(?:\.\d{1,9})?(?:h|ms|m|s|us|µs|ns)){1,6})$/;

/** Reads seconds or a duration of Go, as milliseconds. A negative one has no end. */
export const keepAlive = maybe(
  either<number>(
    [decimal({ min: -1e9 }), { schema: { type: 'string', examples: ['5m'] } }],
    ({ path, value }: Field) => {
      if (typeof value === 'number') return value < 0 ? Number.POSITIVE_INFINITY : value * 1000;
      if (typeof value !== 'string' || !duration.test(value)) {
        return reject(path, 'must be seconds, or a duration such as "5m".');
      }
      if (value.startsWith('-')) return Number.POSITIVE_INFINITY;
      const parts = [...value.matchAll(/(\d[\d.]{0,20})([a-zµ]{1,2})/g)];
      return parts.reduce(
        (sum, [, size, unit = '']) => sum + Number(size) * (unitMs[unit] ?? 0),
        0,
      );
    },
  ),
);

const whole = maybe(integer({ min: Number.MIN_SAFE_INTEGER }));
const number = maybe(decimal({ min: -Number.MAX_VALUE }));

const integers = [
  'num_keep',
  'top_k',
  'repeat_last_n',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'num_thread',
];
const decimals = [
  ...['temperature', 'top_p', 'min_p', 'typical_p', 'repeat_penalty', 'presence_penalty'],
  'frequency_penalty',
];

const each = <Value>(own: readonly string[], read: Reader<Value>) =>
  Object.fromEntries(own.map((name) => [name, read]));

/** The provider has no limit; each costs a search in the text. */
const maxStops = 20;

export const options = maybe(
  object({
    num_predict: whole,
    num_ctx: whole,
    seed: whole,
    stop: maybe(array(text(), { max: maxStops, message: `must have at most ${maxStops} items.` })),
    draft_num_predict: whole,
    use_mmap: maybe(boolean),
    ...each(integers, whole),
    ...each(decimals, number),
  }),
);

/** A schema of the response; `json` is any object. */
export const format = maybe(
  either<JsonObject | 'json' | undefined>(
    [{ schema: { type: 'string', enum: ['json', ''] } }, jsonSchema],
    (field) => {
      const { path, value } = field;
      if (value === 'json') return 'json';
      if (value === '') return undefined;
      if (typeof value !== 'object' || Array.isArray(value)) {
        return reject(path, 'must be "json" or a JSON Schema.');
      }
      const schema = jsonSchema(field);
      admit([[path, schema]]);
      return schema;
    },
  ),
);

export const admit = admitAt(pathTo);

export const images = maybe(
  array(
    text({
      pattern: /^[A-Za-z0-9+/]*={0,2}$/,
      examples: ['iVBORw0KGgo='],
      expected: 'base64, without a data URL',
    }),
  ),
);

export const logprobs = {
  logprobs: maybe(boolean),
  top_logprobs: maybe(integer({ min: 0, max: 20 })),
};

export const common = {
  format,
  keep_alive: keepAlive,
  stream: maybe(boolean),
  think,
  options,
  truncate: maybe(boolean),
  shift: maybe(boolean),
  ...logprobs,
};
