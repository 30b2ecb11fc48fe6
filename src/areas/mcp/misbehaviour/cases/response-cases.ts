/** Misbehaviours of the response to a call: its id, its number and its form. */

import { casesOf } from '../../../../kit/misbehaviour/misbehaviour.js';
import { byReport } from '../acceptance.js';
import type { Case } from '../case.js';
import { inResult } from '../effects.js';

const responses = 'Overview, Responses';
const ofCall = { methods: ['tools/call'], acceptedBy: byReport } as const;

export const responseCases = casesOf<Case>()({
  'unknown-id': {
    ...ofCall,
    what: 'The result of a call has the id of no request.',
    rightClient: 'Ignores the result, and reports a timeout or an error.',
    section: responses,
    response: (response) => ({ ...response, id: `${response.id}-unknown` }),
  },
  'response-twice': {
    ...ofCall,
    what: 'A call gets two results.',
    rightClient: 'Uses the first result, and ignores the second.',
    section: responses,
    wire: (response) => ({ events: [response, response] }),
  },
  'unexpected-batch': {
    ...ofCall,
    what: 'The response is a batch, also in revisions without batches.',
    rightClient: 'Reports an invalid message. Accepts it only in revision 2025-03-26.',
    section: '2025-06-18, Changelog',
    wire: (response) => ({
      body: JSON.stringify([response]),
      type: 'application/json; charset=utf-8',
    }),
  },
  'unknown-result-type': {
    ...ofCall,
    what: 'The resultType is unknown.',
    rightClient: 'Reports an error instead of a result.',
    section: '2026-07-28, Overview, Result Types',
    response: inResult((result) => ({ ...result, resultType: 'later' })),
  },
});
