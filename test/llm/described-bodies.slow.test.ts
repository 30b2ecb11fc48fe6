/** The described bodies are those that the readers accept, and the described responses are sent. */

import { describe, expect, test } from 'vitest';
import { fieldOf as anthropicField, pathTo } from '../../src/areas/llm/anthropic/faults.js';
import {
  countSchema,
  countShape,
  messageSchema,
  messageShape,
} from '../../src/areas/llm/anthropic/request/read-request.js';
import { batchBody, embedBody as geminiEmbedBody } from '../../src/areas/llm/gemini/embeddings.js';
import { fieldOf as geminiField, pathTo as geminiPath } from '../../src/areas/llm/gemini/faults.js';
import {
  countBody,
  generateBody as geminiBody,
} from '../../src/areas/llm/gemini/request/read-request.js';
import { fieldOf as ollamaField, pathTo as ollamaPath } from '../../src/areas/llm/ollama/faults.js';
import { embedBody, showBody } from '../../src/areas/llm/ollama/models.js';
import { generateBody, chatBody as ollamaBody } from '../../src/areas/llm/ollama/requests.js';
import { chatBody } from '../../src/areas/llm/openai/chat/chat-body.js';
import { embeddingBody } from '../../src/areas/llm/openai/embeddings/read-embeddings.js';
import { fieldOf as openaiField } from '../../src/areas/llm/openai/read/faults.js';
import { responseBody } from '../../src/areas/llm/openai/responses/response-body.js';
import { isObject, type JsonObject } from '../../src/base/json-object.js';
import type { HttpError } from '../../src/http/http-error.js';
import { object } from '../../src/kit/input/fields/parts.js';
import type { Field } from '../../src/kit/input/fields/reader.js';
import { useService } from '../support/service.js';
import { anthropicKey, geminiKey, openaiKey, user } from './llm.js';
import { firstOf, isValid, type Mistake, mistakesIn, valuesOf } from './support/schema-values.js';

const { send } = useService();

interface Described {
  readonly path: string;
  readonly schema: JsonObject;
  readonly read: (field: Field) => unknown;
  /** Members that others need. */
  readonly base: JsonObject;
}

const version = '2023-06-01';
/** The name of a derived tool choice. */
const name = 'value';
const tools = [{ name, input_schema: { type: 'object' } }];
const thinking = 'practice-1-thinking';

const gemini = '/llm/gemini/v1beta/models';
const content = { parts: [{ text: 'Hi' }] };

const endpoints: readonly Described[] = [
  {
    path: '/llm/openai/v1/chat/completions',
    schema: chatBody.schema,
    read: chatBody,
    base: { model: 'practice-1', messages: [user('Hi')] },
  },
  {
    path: '/llm/openai/v1/responses',
    schema: responseBody.schema,
    read: responseBody,
    base: { model: 'practice-1', input: 'Hi' },
  },
  {
    path: '/llm/openai/v1/embeddings',
    schema: embeddingBody.schema,
    read: embeddingBody,
    base: { model: 'practice-embed', input: 'Hi' },
  },
  {
    path: '/llm/anthropic/v1/messages',
    schema: messageSchema,
    read: object(messageShape(version)),
    base: { model: thinking, max_tokens: 2000, messages: [user('Hi')], tools },
  },
  {
    path: '/llm/anthropic/v1/messages/count_tokens',
    schema: countSchema,
    read: object(countShape(version)),
    base: { model: thinking, messages: [user('Hi')], tools },
  },
  {
    path: `${gemini}/practice-1:generateContent`,
    schema: geminiBody.schema,
    read: geminiBody,
    base: { contents: [content] },
  },
  {
    path: `${gemini}/practice-1:countTokens`,
    schema: countBody.schema,
    read: countBody,
    base: { contents: [content] },
  },
  {
    path: `${gemini}/practice-embed:embedContent`,
    schema: geminiEmbedBody.schema,
    read: geminiEmbedBody,
    base: { content },
  },
  {
    path: `${gemini}/practice-embed:batchEmbedContents`,
    schema: batchBody.schema,
    read: batchBody,
    base: { requests: [{ model: 'models/practice-embed', content }] },
  },
  {
    path: '/llm/ollama/api/chat',
    schema: ollamaBody.schema,
    read: ollamaBody,
    base: { model: 'practice-1', messages: [user('Hi')] },
  },
  {
    path: '/llm/ollama/api/generate',
    schema: generateBody.schema,
    read: generateBody,
    base: { model: 'practice-1', prompt: 'Hi' },
  },
  {
    path: '/llm/ollama/api/embed',
    schema: embedBody.schema,
    read: embedBody,
    base: { model: 'practice-embed', input: 'Hi' },
  },
  {
    path: '/llm/ollama/api/show',
    schema: showBody.schema,
    read: showBody,
    base: { model: 'practice-1' },
  },
];

const isOpenai = (path: string) => path.includes('/openai/');

function fieldFor(path: string) {
  if (path.includes('/gemini/')) return geminiField;
  if (path.includes('/ollama/')) return ollamaField;
  return isOpenai(path) ? openaiField : anthropicField;
}

const headersFor = (path: string) =>
  isOpenai(path)
    ? { authorization: `Bearer ${openaiKey}` }
    : {
        ...{ 'x-api-key': anthropicKey, 'anthropic-version': version },
        'x-goog-api-key': geminiKey,
      };

/** Adds what no schema requires: a first message of the user, and content of the assistant. */
function completed(path: string, body: JsonObject): JsonObject {
  if (path.includes('/gemini/')) return withData(body) as JsonObject;
  if (path.includes('/ollama/')) return body;
  const { messages } = body;
  const [first] = Array.isArray(messages) ? messages : [];
  if (!isObject(first)) return body;
  const { role, content, refusal, tool_calls: calls } = first;
  if (isOpenai(path)) {
    const isEmpty = role === 'assistant' && (content ?? refusal ?? calls ?? null) === null;
    return isEmpty ? { ...body, messages: [{ ...first, content: 'a' }] } : body;
  }
  if (role === 'user') return body;
  const longer = Array.isArray(content) ? [...content, { type: 'text', text: 'a' }] : content;
  return { ...body, messages: [user('Hi'), { ...first, content: longer }] };
}

const kindsOfData = [
  ...['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'],
  ...['executableCode', 'codeExecutionResult'],
];

/** Adds a text to parts without data; instructions have texts only. */
function withData(value: unknown, isInstruction = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withData(each, isInstruction));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, own]) => {
    if (name !== 'parts' || !Array.isArray(own)) {
      return [name, withData(own, name === 'systemInstruction')];
    }
    const parts = own.map((part: JsonObject) => {
      const hasData = kindsOfData.some((kind) => kind in part);
      if (isInstruction && hasData && !('text' in part)) return { text: 'a' };
      return hasData ? part : { ...part, text: 'a' };
    });
    return [name, parts];
  });
  return Object.fromEntries(entries);
}

/** Kinds of blocks, sources, tools and choices, which are in paths of Anthropic. */
const tags =
  /(?<=\.\d+)\.(?:text|image|document|tool_use|tool_result|thinking|redacted_thinking|custom)(?=\.|$)|(?<=source)\.(?:base64|url|text|content)(?=\.|$)|(?<=thinking)\.(?:enabled|adaptive|disabled)(?=\.|$)|(?<=tool_choice)\.(?:auto|any|tool|none)(?=\.|$)/g;

/** Returns whether an error is about a path; the one of a missing kind names the whole object. */
function isAbout(endpoint: string, param: unknown, at: string): boolean {
  if (param === at) return true;
  if (!endpoint.includes('/anthropic/')) return false;
  const plain = String(param).replaceAll(tags, '');
  return plain === at || plain === at.replace(/\.type$/, '') || param === at.replace(/\.type$/, '');
}

function pathOf(endpoint: string, steps: Mistake['path']): string {
  if (endpoint.includes('/gemini/')) return steps.reduce<string>(geminiPath, '');
  if (endpoint.includes('/ollama/')) return steps.reduce<string>(ollamaPath, '');
  if (!isOpenai(endpoint)) return steps.reduce<string>(pathTo, '');
  return steps
    .map((each) => (typeof each === 'number' ? `[${each}]` : `.${each}`))
    .join('')
    .slice(1);
}

function errorOf({ path, read }: Described, body: unknown): HttpError['extra'] | undefined {
  try {
    read(fieldFor(path)(body));
    return undefined;
  } catch (error) {
    return { ...(error as HttpError).extra, message: (error as HttpError).message };
  }
}

/** Returns the right bodies: each has a member with one of its derived values. */
function rightBodies({ path, schema, base }: Described): readonly JsonObject[] {
  const members = Object.entries(schema.properties as Readonly<Record<string, JsonObject>>);
  return members.flatMap(([member, own]) =>
    [...valuesOf(own)].map((value) => {
      // The smallest model writes fewer tokens.
      const isLess = member === 'model' && 'max_tokens' in base;
      return completed(path, { ...base, ...(isLess && { max_tokens: 400 }), [member]: value });
    }),
  );
}

describe.each(endpoints)('$path', (endpoint) => {
  const { path, schema, base } = endpoint;

  test('accepts what its schema describes', () => {
    const bodies = rightBodies(endpoint);
    expect(bodies.length).toBeGreaterThan(3);
    for (const body of bodies) {
      expect(errorOf(endpoint, body), JSON.stringify(body)).toBeUndefined();
    }
  });

  test('rejects each mistake with its path', () => {
    const seen = new Set<string>();
    for (const right of rightBodies(endpoint)) {
      for (const { value, path: steps, what } of mistakesIn(schema, right)) {
        const at = pathOf(path, steps);
        if (steps.length === 0) continue;
        const error = errorOf(endpoint, value);
        const isRight = isAbout(path, error?.param, at);
        expect(isRight, `${what} at ${at}: ${error?.param}, ${JSON.stringify(value)}`).toBe(true);
        seen.add(what);
      }
    }
    // Ollama ignores unknown members, and some bodies have no choices.
    const all = ['missing', 'unknown choice', 'unknown member', 'wrong type'];
    const isOllama = path.includes('/ollama/');
    const hasChoices = JSON.stringify(schema).includes('"enum"');
    const expected = all.filter(
      (each) =>
        !(isOllama && each === 'unknown member') && (hasChoices || each !== 'unknown choice'),
    );
    expect([...seen].sort()).toEqual(expected);
  });

  test('responds to mistakes of members with their names', async () => {
    for (const { value, path: steps } of mistakesIn(schema, base)) {
      if (steps.length !== 1) continue;
      const { status, json } = await send(`POST ${path}`, {
        json: value,
        headers: headersFor(path),
      });
      expect([400, 404], String(steps)).toContain(status);
      const { error } = json;
      const shown = typeof error === 'string' ? error : (error.param ?? error.message);
      expect(shown).toContain(pathOf(path, steps));
    }
  });

  test('has a description without references to itself', () => {
    expect(JSON.stringify(schema).length).toBeLessThan(20_000);
    expect(isValid(schema, base)).toBe(true);
    expect(firstOf(schema)).toBeTypeOf('object');
  });
});

const described = endpoints.filter(
  ({ path }) => !/embeddings|count_tokens|countTokens|mbed|show/.test(path),
);

test.each(described)('/openapi.json has the schema of $path', async ({ path, schema }) => {
  const { json } = await send('GET /openapi.json?formats=all');
  const { requestBody: given } = json.paths[path.replace('practice-1:', '{model}:')].post;
  // Endpoints with the same body share it.
  const [, shared] = /^#\/components\/requestBodies\/(.*)$/.exec(given.$ref ?? '') ?? [];
  const requestBody = shared === undefined ? given : json.components.requestBodies[shared];
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isObject(value)) return value;
    const { $ref, title: _, ...members } = value;
    if (typeof $ref === 'string') return resolve(json.components.schemas[$ref.split('/')[3] ?? '']);
    return Object.fromEntries(Object.entries(members).map(([key, each]) => [key, resolve(each)]));
  };
  expect(resolve(requestBody.content['application/json'].schema)).toEqual(resolve(schema));
});
