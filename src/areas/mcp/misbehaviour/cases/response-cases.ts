/** Misbehaviours of the response to a call: its id, its number and its form. */

import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { sections } from '../../messages/sections.js';
import { text } from '../../model/content.js';
import { byReport } from '../acceptance.js';
import type { Case } from '../case.js';
import { inResult } from '../effects.js';

const ofCall = { methods: ['tools/call'], acceptedBy: byReport } as const;

export const responseCases = casesOf<Case>()({
  'unknown-id': {
    ...ofCall,
    what: 'The result of a call has the id of no request.',
    rightClient: 'Ignores the result, and reports a timeout or an error.',
    section: sections.responses,
    response: (response) => ({ ...response, id: `${response.id}-unknown` }),
  },
  'response-twice': {
    ...ofCall,
    what: 'A call gets two results.',
    rightClient: 'Uses the first result, and ignores the second.',
    section: sections.responses,
    wire: (response) => ({ events: [response, response] }),
  },
  'unexpected-batch': {
    ...ofCall,
    what: 'The response is a batch, also in revisions without batches.',
    rightClient: 'Reports an invalid message. Accepts it only in revision 2025-03-26.',
    section: sections.noBatches,
    wire: (response) => ({
      body: JSON.stringify([response]),
      type: 'application/json; charset=utf-8',
    }),
  },
  'unfit-error': {
    ...ofCall,
    what: 'A call gets an error result whose structuredContent fits no output schema.',
    rightClient: 'Shows the error result to the model, and does not fail because of its schema.',
    section: sections.outputSchema,
    response: inResult(({ content: _content, structuredContent: _structured, ...others }) => ({
      ...others,
      content: [text('The work failed.')],
      structuredContent: { failure: true },
      isError: true,
    })),
  },
  'unknown-result-type': {
    ...ofCall,
    what: 'The resultType is unknown.',
    rightClient: 'Reports an error instead of a result.',
    section: sections.resultType,
    response: inResult((result) => ({ ...result, resultType: 'later' })),
  },
});
