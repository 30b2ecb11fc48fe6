/** Small JSON Schemas that cause much work, or use much memory. */

import { attacksOf } from '../attacker.js';

const json = { 'Content-Type': 'application/json' };

/** @template Item @param {number} length @param {(index: number) => Item} item */
export const list = (length, item) => Array.from({ length }, (_, index) => item(index));
/** @param {number} count @param {string} [start] */
const names = (count, start = 'n') => list(count, (index) => `${start}${index}`);
/** @param {readonly string[]} keys @param {unknown} value */
const object = (keys, value) => Object.fromEntries(keys.map((key) => [key, value]));
const ones = (/** @type {number} */ count) => list(count, () => 1);

/** @param {unknown} schema Of the member `a` */
export const put = (schema, value = /** @type {unknown} */ (undefined)) =>
  JSON.stringify({
    $schemas: { c: { properties: { a: schema } } },
    c: value === undefined ? [] : [{ id: 1, a: value }],
  });

/** Returns a schema in which each level refers twice to the next. @param {object} leaf */
function doubling(leaf) {
  const next = (/** @type {number} */ level) => ({ $ref: `#/properties/a/$defs/l${level}` });
  const levels = list(30, (level) => [
    `l${level}`,
    level === 29 ? leaf : { anyOf: [next(level + 1), next(level + 1)] },
  ]);
  return { ...next(0), $defs: Object.fromEntries(levels) };
}

const many = { type: 'string' };
const isNumber = { type: 'number' };
const wide = object(names(3000), 1);
const long = 'x'.repeat(900_000);
const url = `http://x/${'a/'.repeat(400_000)} `;
const texts = list(50, () => 'ab'.repeat(2000));
const patterns = list(60, (index) => `^n${index}[a-z0-9]*$`);
/** @type {readonly [value: unknown, small: unknown]} */
const numbers = [ones(15_000), ones(900)];
/** @type {readonly [value: unknown, small: unknown]} */
const objects = [wide, object(names(400), 1)];
const small = list(400, () => ({}));

/**
 * Schemas, each with a value that fits into a PUT, and a value that fits into a POST.
 *
 * @type {Readonly<Record<string, readonly [schema: object, value: unknown, small: unknown]>>}
 */
const kinds = {
  allOf: [{ items: { allOf: list(450, () => many) } }, ...numbers],
  anyOf: [{ items: { anyOf: list(900, () => many) } }, ...numbers],
  oneOf: [{ items: { oneOf: list(900, () => many) } }, ...numbers],
  not: [{ items: { not: { allOf: list(900, () => isNumber) } } }, ...numbers],
  if: [{ items: { if: { allOf: list(450, () => isNumber) }, else: many } }, ...numbers],
  contains: [{ allOf: list(600, () => ({ contains: many })) }, ...numbers],
  multipleOf: [{ items: { allOf: list(900, () => ({ multipleOf: 0.1 })) } }, ...numbers],
  required: [{ items: { required: names(1000) } }, list(15_000, () => ({})), small],
  'required of 10,000 names': [{ items: { required: names(10_000) } }, [{}], small],
  'dependentRequired of 8,000 names': [{ dependentRequired: { n0: names(8000) } }, wide, { n0: 1 }],
  dependentSchemas: [{ dependentSchemas: object(names(600), { allOf: [] }) }, ...objects],
  patternProperties: [{ patternProperties: object(patterns, many) }, ...objects],
  unevaluatedProperties: [
    { allOf: list(400, () => ({ properties: { n0: true } })), unevaluatedProperties: many },
    ...objects,
  ],
  propertyNames: [
    { items: { propertyNames: { allOf: list(450, () => ({ maxLength: 0 })) } } },
    list(20, () => wide),
    list(20, () => object(names(40), 1)),
  ],
  format: [{ allOf: list(900, () => ({ format: 'uri' })) }, url, url],
  uniqueItems: [
    { allOf: list(600, () => ({ uniqueItems: true })) },
    list(200_000, (n) => n),
    list(900, (n) => n),
  ],
  enum: [
    { items: { enum: list(600, (n) => ({ n })) } },
    list(15_000, () => ({ n: -1 })),
    list(400, () => ({ n: -1 })),
  ],
  'long texts': [{ allOf: list(900, () => ({ minLength: 800_000 })) }, long, long],
  pattern: [
    { items: { allOf: list(15, (index) => ({ pattern: `a.{${300 + index}}$` })) } },
    texts,
    texts,
  ],
  'doubling references': [doubling(many), 1, 1],
  '$defs of any size': [{ $defs: object(names(20_000), true) }, 1, 1],
};

/**
 * Returns parts of requests to a sandbox, with the same key, because each account has its own
 * sandboxes.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {string} sandbox
 * @param {number} turn
 */
export function partsFor({ keys }, sandbox, turn) {
  const key = keys[turn % Math.max(1, keys.length)];
  return { headers: { ...json, 'X-Sandbox': sandbox }, key };
}

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {string} sandbox
 * @param {string} body
 * @param {number} [turn]
 */
export const putData = (attacker, sandbox, body, turn = 0) =>
  attacker.ask('PUT', '/api/sandbox/data', { ...partsFor(attacker, sandbox, turn), body });

/** @param {number} count */
const operations = (count, /** @type {unknown} */ a) =>
  JSON.stringify({ operations: list(count, () => ({ method: 'POST', body: { a } })) });

/** A schema or a value may be too much. */
/** Without a schema that was accepted, there is no collection. */
const reaches = [200, 201, 207, 400, 413, /You have no collection/];

export const schemaAttacks = [
  ...Object.entries(kinds).map(
    /** @returns {import('../attacker.js').Attack} */
    ([name, [schema, value, small]]) => ({
      name: `schema: ${name}`,
      reaches,
      async run(attacker) {
        const requests = [
          ['PUT', '/api/sandbox/data', put(schema, value)],
          ['PUT', '/api/sandbox/data', put(schema)],
          ['POST', '/my/c', JSON.stringify({ a: small })],
          ['POST', '/my/c/batch', operations(20, small)],
        ];
        await attacker.repeat(4, (turn) => {
          const [method = '', path = '', body = ''] = requests[turn % requests.length] ?? [];
          const parts = partsFor(attacker, 'schemas', Math.floor(turn / requests.length));
          return attacker.ask(method, path, { ...parts, body });
        });
      },
    }),
  ),
  ...attacksOf(
    {
      'schemas of 122 KB in 117 sandboxes': {
        seconds: 20,
        async run(attacker) {
          const schema = { required: names(12_000) };
          await attacker.repeat(4, (turn) =>
            putData(attacker, `large-${turn % 117}`, put(schema), turn),
          );
        },
      },
      'schemas of 11 KB in 1,000 sandboxes, each used': {
        seconds: 20,
        async run(attacker) {
          const schema = { required: names(1200), properties: { n0: { type: 'string' } } };
          await attacker.repeat(4, async (turn) => {
            const sandbox = `small-${turn % 1000}`;
            const parts = partsFor(attacker, sandbox, turn);
            await putData(attacker, sandbox, put({ ...schema, title: sandbox }), turn);
            await attacker.ask('POST', '/my/c', { ...parts, body: '{"a":{"n0":"x"}}' });
          });
        },
      },
      'patterns that need much memory, all different': (attacker) =>
        attacker.repeat(4, async (turn) => {
          const patterns = list(10, (index) => ({ pattern: `a.{${200 + index}}${turn}?$` }));
          const sandbox = `patterns-${turn % 200}`;
          await putData(attacker, sandbox, put({ allOf: patterns }, 'abb'.repeat(100)));
        }),
      'thousands of fields in fifty collections, each used': async (attacker) => {
        const body = JSON.stringify(object(names(50, 'c'), [object(names(500), 1)]));
        await attacker.repeat(4, async (turn) => {
          const place = Math.floor(turn / 50) % 100;
          const parts = partsFor(attacker, `fields-${place}`, place);
          if (turn % 50 === 0) await putData(attacker, `fields-${place}`, body, place);
          await attacker.ask('GET', `/my/c${turn % 50}?limit=1`, parts);
        });
      },
      'data of maximal size': async (attacker) => {
        const bodies = [
          `{"a":[${list(10_000, (id) => `{"id":${id},"v":[${'1,'.repeat(45)}1]}`).join()}]}`,
          `{"a":[{"id":1,"v":[${'{},'.repeat(490_000)}1]}]}`,
          `{"a":[${list(500, (id) => JSON.stringify({ id, ...object(names(900, 'field'), 1) })).join()}]}`,
          `{"a":[${'\n'.repeat(5_000_000)}${list(20, () => '12345678901234567890').join()}]}`,
          `{"$schemas":{"a":{"properties":{"v":{"items":{"type":"string"}}}}},"a":[{"id":1,"v":[${'1,'.repeat(490_000)}1]}]}`,
        ];
        await attacker.repeat(4, (turn) =>
          putData(attacker, `maximal-${turn % 4}`, bodies[turn % bodies.length] ?? ''),
        );
      },
    },
    { reaches },
  ),
];
