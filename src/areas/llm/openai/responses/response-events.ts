/** Writes the events of a streamed response. */

import type { JsonObject } from '#base/json-object.js';
import type { ProviderEvent } from '../../messages/provider.js';
import { type ItemEvent, itemEvents } from './item-events.js';
import { withoutOutput } from './stored-responses.js';

/** Writes the events that lead to a response. */
export function* responseEvents(response: JsonObject): Iterable<ProviderEvent> {
  let sequence = 0;
  for (const { at, type, members } of eventsOf(response)) {
    yield { event: type, at, data: { type, sequence_number: sequence, ...members } };
    sequence++;
  }
}

function* eventsOf(response: JsonObject): Iterable<ItemEvent> {
  const begun = withoutOutput(response, 'in_progress');
  yield { at: 'start', type: 'response.created', members: { response: begun } };
  yield { at: 'start', type: 'response.in_progress', members: { response: begun } };
  const output = response.output as readonly JsonObject[];
  for (const [index, item] of output.entries()) yield* itemEvents(item, index);
  yield { at: 'end', type: `response.${response.status}`, members: { response } };
}
