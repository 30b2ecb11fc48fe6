/** Requests to the APIs of language models, valid and damaged, in chats, responses and messages. */

import { asBytes, writeRequest } from '../../harness/raw-http.js';
import { judgeRestError, parseBody } from '../judge-response.js';
import { inHeader, mutateText, oddValue } from '../mutate-text.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 */

const model = 'practice-1';
const parameters = {
  type: 'object',
  properties: { city: { type: 'string', pattern: '^[A-Z]\\w+$' }, days: { type: 'integer' } },
  required: ['city'],
};
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };

/** @type {readonly (readonly [path: string, body: Record<string, any>])[]} */
const requests = [
  [
    '/openai/v1/chat/completions',
    {
      ...{ model, n: 2, seed: 5, stop: ['x'], max_completion_tokens: 50, stream: true },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'What is the weather?' }] },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
      ],
      tools: [{ type: 'function', function: { name: 'f', description: 'Weather.', parameters } }],
      tool_choice: 'auto',
      stream_options: { include_usage: true },
    },
  ],
  [
    '/openai/v1/chat/completions',
    {
      ...{ model, messages: [{ role: 'user', content: 'count to 9' }] },
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: parameters } },
    },
  ],
  [
    '/openai/v1/responses',
    {
      ...{ model: 'practice-1-thinking', instructions: 'Be brief.', store: true, stream: true },
      input: [{ type: 'message', role: 'user', content: 'Hello' }],
      reasoning: { effort: 'low', summary: 'auto' },
    },
  ],
  ['/openai/v1/embeddings', { model: 'practice-embed', input: ['a', 'b'], dimensions: 8 }],
  [
    '/anthropic/v1/messages',
    {
      ...{ model, max_tokens: 100, stop_sequences: ['x'], stream: true },
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Sunny' }] },
      ],
      tools: [{ name: 'f', description: 'Weather.', input_schema: parameters }],
    },
  ],
  [
    '/anthropic/v1/messages/count_tokens',
    { model, messages: [{ role: 'user', content: 'Hello' }] },
  ],
  [
    '/gemini/v1beta/models/practice-1:streamGenerateContent',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Weather?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { a: 1 } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: parameters }] }],
      generationConfig: { temperature: 1, maxOutputTokens: 50, stopSequences: ['x'] },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    },
  ],
  [
    '/ollama/api/chat',
    {
      model,
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ function: { name: 'f', arguments: {} } }],
        },
        { role: 'tool', tool_name: 'f', content: 'Sunny' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters } }],
      ...{ options: { num_predict: 9, stop: ['x'] }, keep_alive: '5m', format: parameters },
    },
  ],
];

/** @returns {import('../run-fuzz.js').Source} */
export function llmRequests() {
  return { name: 'llm', next: makeRequest };
}

/**
 * @param {Random} random
 * @returns {import('../run-fuzz.js').RequestCase}
 */
function makeRequest(random) {
  const [path, body] = random.pick(requests);
  const isDamaged = random.chance(70);
  const text = isDamaged ? damage(random, body) : JSON.stringify(body);
  const prefix = random.pick(['/llm', '/s/fuzz-llm/llm']);
  const query = random.chance(20) ? '?misbehave=error-event&at=text' : '';
  return {
    kind: isDamaged ? 'a damaged request' : 'a request',
    method: 'POST',
    bytes: writeRequest('POST', prefix + path + query, headersOf(random, path), asBytes(text)),
    judge: judgeProvider,
  };
}

/**
 * @param {Random} random
 * @param {string} path
 * @returns {[string, string][]}
 */
function headersOf(random, path) {
  /** @type {[string, string][]} */
  const headers = path.startsWith('/openai')
    ? [['Authorization', 'Bearer sk-practice-openai']]
    : [
        ['X-Api-Key', 'sk-practice-anthropic'],
        ['Anthropic-Version', '2026-10-21'],
        ['X-Goog-Api-Key', 'sk-practice-gemini'],
      ];
  headers.push(['Content-Type', 'application/json']);
  if (!random.chance(20)) return headers;
  return headers.map(([name, value]) => [
    name,
    random.chance(30) ? inHeader(mutateText(random, value)) : value,
  ]);
}

/**
 * @param {Random} random
 * @param {Record<string, any>} body
 */
function damage(random, body) {
  if (random.chance(30)) return mutateText(random, JSON.stringify(body));
  const copy = JSON.parse(JSON.stringify(body));
  let inner = copy;
  while (random.chance(65)) {
    const next = random.pick(Object.values(inner));
    if (typeof next !== 'object' || next === null || Object.keys(next).length === 0) break;
    inner = next;
  }
  const names = [...Object.keys(inner), '__proto__', 'constructor', 'role', 'type'];
  inner[random.pick(names)] = oddValue(random);
  return JSON.stringify(copy);
}

/**
 * Checks the error of the provider, and that no request makes the service fail.
 *
 * @param {WireResponse} response
 * @returns {string | undefined}
 */
function judgeProvider(response) {
  const { status, headers } = response;
  if (status >= 500 && status !== 503) return `status ${status}`;
  const type = headers.get('content-type') ?? '';
  const isStream = type.startsWith('text/event-stream') || type === 'application/x-ndjson';
  if (isStream) return undefined;
  if (type !== 'application/json; charset=utf-8') return `of type ${type}`;
  // A stream of Gemini is a list of JSON, which may break.
  const isList = String(response.body).startsWith('[');
  if (isList && status < 400) return undefined;
  const whole = parseBody(response);
  const parsed = isList ? whole?.[0] : whole;
  if (parsed === undefined) return 'no JSON';
  if (status < 400) return undefined;
  // A malformed sandbox name, or URL, is rejected before the provider is known.
  if (parsed.status !== undefined) return judgeRestError(response);
  // Ollama has a text.
  if (typeof parsed.error === 'string') return undefined;
  const { type: ofOthers, status: ofGemini, message } = parsed.error ?? {};
  const kind = ofOthers ?? ofGemini;
  if (typeof kind !== 'string' || typeof message !== 'string') return 'an odd error';
  const isAnthropic = parsed.type === 'error';
  if (isAnthropic && parsed.request_id !== headers.get('request-id')) return 'another request id';
  return undefined;
}
