/** Calls of the lab for clients of language models. */

import type { JsonValue } from '../../../src/describe/openapi/json.js';
import type { Caller, CallTable } from '../caller.js';
import { callRejectedBodies } from './rejected-bodies.js';

const isRequestOnly = true;
const isNoExample = true;
const headers = { 'X-Sandbox': 'llm' };
const openai = { Authorization: 'Bearer sk-practice-openai' };
const anthropic = { 'X-Api-Key': 'sk-practice-anthropic', 'Anthropic-Version': '2023-06-01' };
const prompt = 'What is the capital of Norway?';
const model = 'practice-1';
const messages = [{ role: 'user', content: prompt }];

export const callLlm: CallTable = async (caller) => {
  await callModel(caller);
  await callStreams(caller);
  await callScript(caller);
  await callPlan(caller);
};

async function callModel(caller: Caller): Promise<void> {
  const ofOpenai = async (operationId: string, json: JsonValue) => {
    const body = { json };
    const request = { headers: openai, ...body, isRequestOnly } as const;
    await caller.call(operationId, 'A response', request);
    await caller.call(operationId, 'Without a key', { ...body, isNoExample });
    await caller.call(operationId, 'No model', { headers: openai, json: {}, isNoExample });
    const unknown = { ...(json as object), model: 'other' };
    const sent = { headers: openai, json: unknown, isNoExample } as const;
    await caller.call(operationId, 'An unknown model', sent);
    await callOtherBodies(caller, operationId);
  };
  await ofOpenai('postLlmOpenaiV1ChatCompletions', { model, messages });
  await ofOpenai('postLlmOpenaiV1Responses', { model, input: prompt });
  const ofAnthropic = async (operationId: string, json: JsonValue) => {
    const body = { json };
    const request = { headers: anthropic, ...body, isRequestOnly } as const;
    await caller.call(operationId, 'A response', request);
    const version = { 'Anthropic-Version': '2023-06-01' };
    await caller.call(operationId, 'Without a key', { headers: version, ...body, isNoExample });
    await caller.call(operationId, 'No model', { headers: anthropic, json: {}, isNoExample });
    const unknown = { ...(json as object), model: 'other' };
    const sent = { headers: anthropic, json: unknown, isNoExample } as const;
    await caller.call(operationId, 'An unknown model', sent);
    await callOtherBodies(caller, operationId);
    // Its error has an id that differs each time.
    const badly = { 'X-Sandbox': 'not a name' };
    await caller.call(operationId, 'A malformed sandbox name', { headers: badly, isNoExample });
  };
  await ofAnthropic('postLlmAnthropicV1Messages', { model, max_tokens: 100, messages });
}

/** Their errors have ids that differ each time, or are too many for examples. */
async function callOtherBodies(caller: Caller, operationId: string): Promise<void> {
  const headers = { ...openai, ...anthropic };
  const type = 'application/json';
  const announcedBytes = 10 * 1024 * 1024 + 1;
  const large = { headers, type, announcedBytes, isNoExample } as const;
  await caller.call(operationId, 'Too large a body', large);
  const other = { headers, type: 'text/plain', body: 'Hello', isNoExample } as const;
  await caller.call(operationId, 'Another Content-Type', other);
}

async function callStreams(caller: Caller): Promise<void> {
  const stream = true;
  await caller.call('postLlmOpenaiV1ChatCompletions', 'A stream', {
    ...{ headers: openai, json: { model, messages, stream }, isNoExample },
  });
  await caller.call('postLlmOpenaiV1Responses', 'A stream', {
    ...{ headers: openai, json: { model, input: prompt, stream }, isNoExample },
  });
  await caller.call('postLlmAnthropicV1Messages', 'A stream', {
    headers: anthropic,
    json: { model, max_tokens: 100, messages, stream },
    isNoExample,
  });
}

async function callScript(caller: Caller): Promise<void> {
  const turns = [{ text: 'Hello from the script.' }];
  await caller.call('putSandboxLlm', 'A turn', { headers, json: { turns } });
  await caller.call('putSandboxLlm', 'An unknown member', { headers, json: { turn: turns } });
  await caller.call('putSandboxLlm', 'In the shared sandbox', { json: { turns } });
  await callRejectedBodies(caller, 'putSandboxLlm');
  await caller.call('getSandboxLlm', 'What is left', { headers });
  await caller.call('getSandboxLlm', 'In the shared sandbox');
  await caller.call('deleteSandboxLlm', 'Its end', { headers });
  await caller.call('deleteSandboxLlm', 'In the shared sandbox');
}

async function callPlan(caller: Caller): Promise<void> {
  await caller.call('getLlm', 'The lab', { isNoExample });
  const html = { Accept: 'text/html' };
  const { headers: known } = await caller.call('getLlm', 'The page', {
    headers: html,
    isNoExample,
  });
  const again = { ...html, 'If-None-Match': known.etag ?? '' };
  await caller.call('getLlm', 'The page is current', { headers: again, isNoExample });
}
