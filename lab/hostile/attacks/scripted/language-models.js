/** Clients of language models that open too much, read too slowly, or send what multiplies. */

import { attacksOf } from '../../attacker.js';
import { holdAndReset } from '../held-requests.js';

const chat = '/llm/openai/v1/chat/completions';
const responses = '/llm/openai/v1/responses';
const messages = '/llm/anthropic/v1/messages';
const model = 'practice-1';
const mebibyte = 1024 * 1024;

/**
 * @param {unknown} body
 * @param {string} [sandbox]
 */
const parts = (body, sandbox = 'llm-attack') => ({
  headers: {
    'X-Sandbox': sandbox,
    'Content-Type': 'application/json',
    Authorization: 'Bearer sk-practice-openai',
    'X-Api-Key': 'sk-practice-anthropic',
    'Anthropic-Version': '2026-10-21',
  },
  body: JSON.stringify(body),
});

/** @param {string} content */
const asking = (content, more = {}) => ({ model, messages: [{ role: 'user', content }], ...more });

const longest = 'count to 9999';

/** @param {Record<string, unknown>} parameters */
const forced = (parameters) =>
  asking('Use f', {
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
    tool_choice: 'required',
  });

/** Each level has two references to the next. */
const doubling = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/l0' } },
  required: ['a'],
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `l${level}`,
      level === 39
        ? { type: 'string' }
        : {
            type: 'object',
            properties: {
              a: { $ref: `#/$defs/l${level + 1}` },
              b: { $ref: `#/$defs/l${level + 1}` },
            },
            required: ['a', 'b'],
          },
    ]),
  ),
};

/** @param {number} depth */
function nested(depth) {
  /** @type {Record<string, unknown>} */
  let schema = { type: 'string' };
  for (let level = 0; level < depth; level++) {
    schema = { type: 'object', properties: { a: schema }, required: ['a'] };
  }
  return schema;
}

const choices = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [
      `p${index}`,
      {
        anyOf: Array.from({ length: 8 }, () => ({
          type: 'string',
          pattern: '^(?:a|b)+$',
          not: {},
        })),
      },
    ]),
  ),
};

/**
 * Sends the same bodies again and again.
 *
 * @param {string} path
 * @param {(turn: number) => unknown} bodyOf
 * @returns {import('../../attacker.js').Attack['run']}
 */
const repeated = (path, bodyOf) => (attacker) =>
  attacker.repeat(8, (turn) =>
    attacker.ask('POST', path, { ...attacker.sameAccount, ...parts(bodyOf(turn)) }),
  );

const million = 'a '.repeat(mebibyte / 2 - 200);

/** @type {readonly import('../../attacker.js').Attack[]} */
export const languageModelAttacks = attacksOf(
  {
    '1,000 stalled readers of language models, then reset': (attacker) => {
      const request = attacker.bytes('POST', chat, {
        ...attacker.sameAccount,
        ...parts(asking(longest, { stream: true })),
      });
      return attacker.openAndReset(
        1000,
        (socket) => {
          socket.pause();
          socket.write(request);
        },
        2000,
      );
    },
    '2,000 silent streams of language models, then reset': (attacker) => {
      const request = attacker.bytes('POST', `${chat}?misbehave=silence-with-pings&at=text`, {
        ...attacker.sameAccount,
        ...parts(asking('count to 9', { stream: true })),
      });
      return holdAndReset(attacker, 2000, () => request);
    },
    'long streams of language models': repeated(messages, () =>
      asking(longest, { max_tokens: 16_384, stream: true }),
    ),
    'lines of 1 MiB of language models': repeated(`${chat}?misbehave=long-line`, () =>
      asking('count to 3', { stream: true }),
    ),
    'broken long streams of language models': repeated(`${chat}?misbehave=many-packets`, () =>
      asking(longest, { stream: true }),
    ),
    'prompts of 1 MiB to language models': repeated(messages, () =>
      asking(million, { max_tokens: 10 }),
    ),
    'prompts of 10 MiB to language models': {
      reaches: 413,
      run: repeated(chat, () => asking(million.repeat(10))),
    },
    'a million completions of language models': repeated(chat, () =>
      asking(longest, { n: 1_000_000, stream: true }),
    ),
    'eight long completions of language models': repeated(chat, () => asking(longest, { n: 8 })),
    'doubling schemas of language models': repeated(chat, () => forced(doubling)),
    'deep schemas of language models': repeated(chat, (turn) =>
      forced(nested(turn % 2 ? 30 : 1000)),
    ),
    'schemas of language models without a value': repeated(chat, () => forced(choices)),
    'patterns of language models': repeated(chat, () =>
      forced({
        type: 'object',
        properties: { a: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
        required: ['a'],
      }),
    ),
    'conversations of 3,900 turns': repeated(chat, () => ({
      model,
      messages: Array.from({ length: 3900 }, (_, index) => ({
        role: index % 2 ? 'assistant' : 'user',
        content: `Turn ${index}`,
      })),
    })),
    'stored responses of 1 MiB, in chains': async (attacker) => {
      /** @type {string | undefined} */
      let previous;
      await attacker.repeat(4, async () => {
        const body = { model, input: ' '.repeat(900_000), previous_response_id: previous };
        const { text } = await attacker.ask('POST', responses, {
          ...attacker.sameAccount,
          ...parts(body, 'llm-chains'),
        });
        previous = JSON.parse(text).id;
      });
    },
    'scripts of 1 MiB': (attacker) =>
      attacker.repeat(8, () =>
        attacker.ask('PUT', '/api/sandbox/llm', {
          ...attacker.sameAccount,
          ...parts({ turns: Array.from({ length: 5 }, () => ({ text: 'x'.repeat(190_000) })) }),
        }),
      ),
    'runs of the test plan for language models': {
      reaches: 201,
      run: repeated('/llm/test-plan/runs', () => ({})),
    },
  },
  { reaches: [200, 400] },
);
