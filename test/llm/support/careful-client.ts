/** A client that checks the whole stream, and repeats its request without the fragment. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from '../../../src/areas/llm/streams/broken-stream.js';
import { isObject, type JsonObject } from '../../../src/base/json-object.js';
import { BrokenStream, CheckedStream } from './checked-stream.js';
import { dialects, type Fragment } from './dialects.js';
import type { Conversation } from './naive-client.js';
import { eventsOf, postStream, type StreamCall } from './stream-request.js';

const attempts = 2;
/** Longer than a service behind a proxy needs to see that a stream was closed. */
const pauseMs = 500;

interface PatientCall extends StreamCall {
  readonly patienceMs: number;
}

/**
 * Sends a prompt, and continues only with the whole content. `patienceMs` is the longest pause between
 * two events.
 */
export async function converseCarefully(
  conversation: Conversation,
  patienceMs: number,
): Promise<void> {
  const { kind, prompt, hasTool, result, baseUrl } = conversation;
  const dialect = dialects[kind];
  const content = await readCarefully(kind, {
    ...{ baseUrl, dialect, body: dialect.first(prompt, hasTool), patienceMs },
  });
  if (content === undefined) return;
  const body = dialect.next(prompt, hasTool, content, result);
  const response = await postStream({ baseUrl, dialect, body });
  await response.body?.cancel();
}

/** Returns nothing if no attempt had a whole stream. */
async function readCarefully(kind: Kind, call: PatientCall): Promise<Fragment | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await readOnce(kind, call);
    } catch (error) {
      const isOfStream = error instanceof BrokenStream || error instanceof SyntaxError;
      // The errors of fetch and of its aborts.
      if (!isOfStream && !(error instanceof TypeError) && !(error instanceof DOMException)) {
        throw error;
      }
      await sleep(pauseMs);
    }
  }
  return undefined;
}

async function readOnce(kind: Kind, { patienceMs, ...call }: PatientCall): Promise<Fragment> {
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  let timer = setTimeout(giveUp, patienceMs);
  try {
    const response = await postStream({ ...call, signal: controller.signal });
    const type = kind === 'ollama' ? /^application\/x-ndjson\b/ : /^text\/event-stream\b/;
    if (!type.test(response.headers.get('content-type') ?? '')) {
      throw new BrokenStream('no event stream');
    }
    const reader = new CheckedStream(kind);
    for await (const { event, data } of eventsOf(response)) {
      if (event === 'ping') continue;
      clearTimeout(timer);
      timer = setTimeout(giveUp, patienceMs);
      reader.read(data === '[DONE]' ? data : parseObject(data));
    }
    return reader.finish();
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new BrokenStream('no object');
  return value;
}
