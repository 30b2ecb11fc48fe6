/** Patterns that are slow to compile, in schemas, tools of language models, and filters. */

import { attacksOf } from '../../attacker.js';
import { list, partsFor, put } from '../schemas.js';
import { aim } from './aim.js';

/** @param {string} text @param {number} length */
const fill = (text, length) => text.repeat(Math.floor(length / text.length));

const letters = `[${fill('\\p{L}', 890)}]`;
const unequal = fill('\\p{L}\\P{Lu}\\p{C}', 890);

/** Patterns, different in each turn, each of which is accepted, and as many of them as a schema may have. @type {Readonly<Record<string, readonly [count: number, pattern: (turn: string) => string]>>} */
const accepted = {
  'brackets of 178 Unicode classes': [1, (turn) => `${letters}${turn}`],
  'brackets of different Unicode classes': [1, (turn) => `[${unequal}]${turn}`],
  'negated brackets': [4, (turn) => `${fill('[^\\p{L}]', 270)}${turn}`],
  'Unicode classes in a row': [7, (turn) => `${fill('\\p{L}', 180)}${turn}`],
  alternations: [5, (turn) => `${fill('\\p{L}|\\p{N}|', 280)}${turn}`],
  'repeated Unicode classes': [9, (turn) => `\\p{L}{400}${turn}`],
  'repeated brackets': [3, (turn) => `[\\p{L}\\p{M}\\p{P}\\p{S}]{380}${turn}`],
  'repeated lists of characters': [
    5,
    (turn) =>
      `[${list(380, (index) => String.fromCodePoint(0x100 + 2 * index)).join('')}]{200}${turn}`,
  ],
  'names of letters': [19, (turn) => `^[\\p{L}\\p{M}' -]{1,80}$|${turn}`],
};

/** @param {string} pattern */
const tool = (pattern) => ({
  model: 'practice-1',
  messages: [{ role: 'user', content: 'Use f' }],
  tool_choice: 'required',
  tools: [
    {
      type: 'function',
      function: {
        name: 'f',
        parameters: {
          type: 'object',
          properties: { a: { type: 'string', pattern } },
          required: ['a'],
        },
      },
    },
  ],
});
const toolOf = (/** @type {readonly string[]} */ patterns) => {
  const body = tool('^a');
  const [first] = body.tools;
  if (first !== undefined) {
    Object.assign(first.function.parameters.properties, {
      a: { type: 'string', anyOf: patterns.map((pattern) => ({ pattern })) },
    });
  }
  return body;
};
const credentials = {
  'Content-Type': 'application/json',
  Authorization: 'Bearer sk-practice-openai',
  'X-Sandbox': 'patterns-llm',
};

/** @param {unknown} body */
const chat = (body) => ({
  method: 'POST',
  path: '/llm/openai/v1/chat/completions',
  parts: { headers: credentials, body: JSON.stringify(body) },
});

const records = JSON.stringify({ c: list(20, (id) => ({ id, a: 'one', b: `Zwei ${id}` })) });

/**
 * Filters a list of json-server's paths.
 *
 * @param {import('../../attacker.js').Attacker} attacker
 * @param {readonly string[]} patterns
 */
const like = (attacker, patterns) => ({
  method: 'GET',
  path: `/json-server/c?${patterns.map((each) => `a_like=${encodeURIComponent(each)}`).join('&')}`,
  parts: partsFor(attacker, 'patterns-like', 0),
});

/** @param {import('../../attacker.js').Attacker} attacker */
async function prepareList(attacker) {
  const parts = { ...partsFor(attacker, 'patterns-like', 0), body: records };
  const { status } = await attacker.ask('PUT', '/api/sandbox/data', parts);
  if (status !== 200) throw new Error(`The data was rejected: ${status}`);
}

/**
 * @param {(turn: number) => readonly string[]} patternsAt
 * @param {number} status
 * @param {string} [text]
 */
const likeAttack = (patternsAt, status, text = '') => ({
  prepare: prepareList,
  /** @param {import('../../attacker.js').Attacker} attacker */
  run: (attacker) =>
    aim(attacker, (turn) => ({ ...like(attacker, patternsAt(turn)), status, text })),
});

const tooLarge = 'makes the patterns of this query too large';
/** In 8,000 characters of a URL, percent-encoded. */
const short = fill('\\p{L}', 55);

export const patternAttacks = attacksOf(
  {
    ...Object.fromEntries(
      Object.entries(accepted).map(([name, [count, patternAt]]) => [
        `patterns: ${name}, all different`,
        /** @param {import('../../attacker.js').Attacker} attacker */
        (attacker) =>
          aim(attacker, (turn) => {
            const patterns = list(count, (index) => patternAt(`${turn % 1000}x${index}`));
            const target = turn % 20;
            const schema =
              turn % 2 === 0
                ? { allOf: patterns.map((pattern) => ({ pattern })) }
                : { patternProperties: Object.fromEntries(patterns.map((each) => [each, true])) };
            const parts = partsFor(attacker, `patterns-${target}`, target);
            if (turn % 3 === 2)
              return { ...chat(toolOf(patterns.slice(0, Math.max(1, count - 1)))), status: 200 };
            const body = put(schema);
            return {
              method: 'PUT',
              path: '/api/sandbox/data',
              parts: { ...parts, body },
              status: 200,
            };
          }),
      ]),
    ),
    'patterns: nine brackets of Unicode classes': (attacker) =>
      aim(attacker, (turn) => {
        const patterns = list(9, (index) => `${letters}${turn}x${index}`);
        const schemas = patterns.map((pattern) => ({ propertyNames: { pattern } }));
        const parts = { ...partsFor(attacker, 'patterns', 0), body: put({ allOf: schemas }) };
        if (turn % 2 === 1) return { ...chat(toolOf(patterns)), status: 400, text: '2000 parts' };
        return { method: 'PUT', path: '/api/sandbox/data', parts, status: 400, text: '2000 parts' };
      }),
    'patterns: negated brackets that a model writes a text for': (attacker) =>
      aim(attacker, (turn) => {
        const pattern = `^${list(40, (index) => `[^a${String.fromCodePoint(0x100 + index)}]`).join('')}${turn}$`;
        return { ...chat(tool(pattern)), status: 200, text: 'tool_calls' };
      }),
    'patterns: ten filters of Unicode classes in 7.8 KB': likeAttack(
      (turn) => list(10, (index) => `[${fill('\\p{L}', 325)}]${turn}x${index}`),
      400,
      tooLarge,
    ),
    'patterns: filters of Unicode classes': likeAttack(
      (turn) => list(7, (index) => `[${short}]${turn}x${index}`),
      200,
      '[]',
    ),
    'patterns: filters of ranges in any letter case': likeAttack(
      (turn) => [`[${'B-\u{1e942}'.repeat(60)}]${turn}`, '[^B-\u{1e942}]'],
      400,
      tooLarge,
    ),
    'patterns: filters of a few ranges in any letter case': likeAttack(
      (turn) => list(6, (index) => `[^B-\u{1e942}]${turn}x${index}`),
      200,
      '[]',
    ),
    'patterns: the same filter for a hundred fields': {
      prepare: prepareList,
      run: (attacker) =>
        aim(attacker, (turn) => {
          const query = list(
            90,
            (index) => `f${index}_like=${encodeURIComponent(`\\p{L}${turn}`)}`,
          );
          const path = `/json-server/c?${query.join('&')}`;
          return {
            method: 'GET',
            path,
            parts: partsFor(attacker, 'patterns-like', 0),
            status: 400,
            text: tooLarge,
          };
        }),
    },
  },
  { reaches: [200, 201, 400] },
);
