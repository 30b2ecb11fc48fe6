/** References of schemas that are slow to follow: malformed, escaped, long, nested, repeated. */

import { attacksOf } from '../../attacker.js';
import { list, partsFor, put } from '../schemas.js';
import { aim } from './aim.js';

const sandbox = 'references';
const values = list(900, () => 1);
const root = '#/properties/a';

/** @param {string} name @param {number} depth */
function nested(name, depth) {
  /** @type {Record<string, unknown>} */
  let value = {};
  for (let level = 0; level < depth; level++) value = { [name]: value };
  return value;
}

/** @param {string} reference @param {number} [count] @param {object} [more] */
const references = (reference, count = 40, more = {}) => ({
  items: { allOf: list(count, () => ({ $ref: reference })) },
  ...more,
});

/** Each schema refers to the next. @param {number} length */
const chain = (length) => ({
  items: { $ref: `${root}/$defs/l0` },
  $defs: Object.fromEntries(
    list(length, (level) => [
      `l${level}`,
      level === length - 1 ? { type: 'number' } : { $ref: `${root}/$defs/l${level + 1}` },
    ]),
  ),
});

const longName = 'x'.repeat(890);
const hugeName = 'x'.repeat(60_000);
const percents = nested('%', 14);

/** Schemas whose references are malformed or not supported, each with a part of the message. @type {Readonly<Record<string, readonly [schema: object, text: string]>>} */
const malformed = {
  'malformed percent signs in forty references': [
    references(`${root}/default${'/%'.repeat(14)}`, 40, { default: percents }),
    'two hexadecimal digits must follow',
  ],
  'malformed percent signs in one reference of 80 KB': [
    references(`#${'/%'.repeat(40_000)}`, 1),
    'two hexadecimal digits must follow',
  ],
  'malformed percent signs in 400 references': [
    references(`#${'/%zz'.repeat(50)}`, 400),
    'two hexadecimal digits must follow',
  ],
  'bytes that are not UTF-8': [references(`#${'/%FF%41'.repeat(40)}`, 400), 'not UTF-8'],
  'malformed tildes': [references(`#${'/~2%7E'.repeat(40)}`, 400), '0 or 1 must follow'],
  'anchors and dynamic references': [
    {
      allOf: list(200, () => ({ $ref: '#anchor', $dynamicRef: '#anchor', $anchor: 'a' })),
    },
    'is not supported; refer to #/$defs/name',
  ],
};

/** Schemas that are accepted, and make much use of references. @type {Readonly<Record<string, object>>} */
const lawful = {
  'forty, escaped, over a deep default': references(`${root}/default${'/%25'.repeat(14)}`, 40, {
    default: percents,
  }),
  'of 900 characters, used 36,000 times': references(`${root}/$defs/${longName}`, 40, {
    $defs: { [longName]: { type: 'number' } },
  }),
  'of 60 KB, the same text twice': references(`${root}/$defs/${hugeName}`, 2, {
    $defs: { [hugeName]: { type: 'number' } },
  }),
  'to references, eighty deep': chain(80),
  'with tildes and percent signs': references(`${root}/$defs/${'~0~1%7E0%2541'.repeat(20)}`, 60, {
    $defs: { ['~/~%41'.repeat(20)]: { type: 'number' } },
  }),
  'from propertyNames and patternProperties': {
    items: {
      propertyNames: { $ref: `${root}/$defs/name` },
      patternProperties: { '^n': { $ref: `${root}/$defs/name` } },
    },
    $defs: { name: { type: ['string', 'number'] } },
  },
};

/** @param {import('../../attacker.js').Attacker} attacker @param {number} turn */
const putParts = (attacker, turn, /** @type {object} */ schema) => ({
  ...partsFor(attacker, `${sandbox}-${turn % 20}`, turn % 20),
  body: put(schema),
});

export const referenceAttacks = attacksOf(
  {
    ...Object.fromEntries(
      Object.entries(malformed).map(([name, [schema, text]]) => [
        `references: ${name}`,
        /** @param {import('../../attacker.js').Attacker} attacker */
        (attacker) =>
          aim(attacker, (turn) => ({
            method: 'PUT',
            path: '/api/sandbox/data',
            parts: putParts(attacker, turn, schema),
            status: 400,
            text,
          })),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(lawful).map(([name, schema]) => [
        `references: ${name}`,
        {
          /** @param {import('../../attacker.js').Attacker} attacker */
          async prepare(attacker) {
            const parts = { ...partsFor(attacker, sandbox, 0), body: put(schema) };
            const { status, text } = await attacker.ask('PUT', '/api/sandbox/data', parts);
            if (status !== 200) throw new Error(`The schema was rejected: ${status} ${text}`);
          },
          /** @param {import('../../attacker.js').Attacker} attacker */
          run: (attacker) =>
            aim(attacker, (turn) =>
              turn % 8 === 7
                ? {
                    method: 'PUT',
                    path: '/api/sandbox/data',
                    parts: putParts(attacker, turn, schema),
                    status: 200,
                  }
                : {
                    method: 'POST',
                    path: '/my/c',
                    parts: {
                      ...partsFor(attacker, sandbox, 0),
                      body: JSON.stringify({ a: values }),
                    },
                    status: 201,
                  },
            ),
        },
      ]),
    ),
  },
  { reaches: [200, 201, 400, 409] },
);
