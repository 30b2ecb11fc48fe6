/** The endpoint that creates responses. */

import type { JsonObject } from '#base/json-object.js';
import type { Sandbox } from '#state/state.js';
import type { Completion, Turn } from '../../messages/conversation.js';
import type { Generation, Reading, Stamp } from '../../messages/provider.js';
import { type ResponseRequest, readResponse } from './read-response.js';
import { alternativesIn } from './response-body.js';
import { responseEvents } from './response-events.js';
import { storeResponse, withItemIds, withoutOutput } from './stored-responses.js';
import { writeResponse } from './write-response.js';

export const responseGeneration: Generation = {
  kind: 'responses',
  example: { input: 'What is the capital of Norway?' },
  async read(body, { sandbox }) {
    return readingOf(await readResponse(body, sandbox), sandbox);
  },
};

function readingOf(request: ResponseRequest, sandbox: Sandbox): Reading {
  const { body, conversation, items, turns } = request;
  let written: { readonly response: JsonObject; readonly completion: Completion } | undefined;
  /** Writes the response once: the stored one has the ids of the streamed one. */
  function write([completion]: readonly Completion[], stamp: Stamp): JsonObject {
    if (completion === undefined) throw new Error('A response continues one conversation.');
    written ??= { completion, response: writeResponse(request, completion, withItemIds(stamp)) };
    return written.response;
  }
  async function store(): Promise<void> {
    if (written === undefined) return;
    const { completion, response } = written;
    const previousId = body.previous_response_id;
    await storeResponse(sandbox, {
      response,
      items,
      turns: [...turns, turnOf(completion)],
      previousId,
    });
  }
  return {
    conversation,
    isStream: body.stream === true,
    logprobs: alternativesIn(body),
    respond(completions, stamp) {
      const response = write(completions, stamp);
      return body.background === true ? withoutOutput(response, 'queued') : response;
    },
    events: (completions, stamp) => responseEvents(write(completions, stamp)),
    ...(body.store !== false && { store }),
  };
}

function turnOf({ text, refusal, calls }: Completion): Turn {
  return { role: 'assistant', text: refusal ?? text, ...(calls.length > 0 && { calls }) };
}
