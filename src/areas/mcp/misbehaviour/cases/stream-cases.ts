/** Misbehaviours of streams and sessions. */

import type { JsonObject } from '#base/json-object.js';
import { HttpError } from '#http/http-error.js';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { misbehaviourRules } from '../../judge/input-rules.js';
import { sessionKey } from '../../judge/memory.js';
import { notification } from '../../messages/message.js';
import { codes, RpcError } from '../../messages/rpc-error.js';
import { sections } from '../../messages/sections.js';
import { byCanary, byReport, byResumption, bySameSession } from '../acceptance.js';
import { foreignCanaryUrl } from '../canary.js';
import type { Case } from '../case.js';

const methods = ['tools/call'];

/** Since 2025-03-26, a server either opens the stream or responds with 405. */
const ofGet = { methods: [], section: sections.listening, acceptedBy: byReport } as const;

const progress = (progressToken: unknown, value: number) =>
  notification('notifications/progress', { progressToken, progress: value, total: 100 });

export const streamCases = casesOf<Case>()({
  'cut-stream': {
    methods,
    what: 'The stream ends in the middle of the result.',
    rightClient: 'Reports an error, or sends the request again with a new id.',
    section: sections.sending,
    acceptedBy: byResumption,
    wire: (response) => ({ events: [response], end: 'cut' }),
  },
  'endless-stream': {
    methods,
    what: 'The stream has comments, but never a result.',
    rightClient: 'Closes the stream after a timeout.',
    section: sections.timeouts,
    acceptedBy: byReport,
    wire: () => ({ events: [], end: 'never' }),
  },
  'foreign-endpoint': {
    methods: [],
    what: 'The event endpoint of /mcp/sse names another origin.',
    rightClient: 'Rejects the stream.',
    section: sections.httpWithSse,
    acceptedBy: byCanary,
    rule: misbehaviourRules['foreign-endpoint'],
    endpoint: foreignCanaryUrl,
  },
  'session-gone': {
    methods,
    only: 'sessions',
    what: 'The session is unknown from the first call on: 404.',
    rightClient: 'Begins a new session.',
    section: sections.sessionManagement,
    acceptedBy: bySameSession,
    async fail({ request: { headers } }, note) {
      const session = sessionKey(headers['mcp-session-id']);
      await note((step) => ({ ...step, session }));
      return new RpcError(codes.invalidRequest, 'There is no such session.', undefined, 404);
    },
  },
  'stream-not-found': {
    ...ofGet,
    what: 'A GET for the stream of a session gets 404.',
    rightClient: 'Continues without the stream, or begins a new session.',
    listen: () => new HttpError(404, 'There is no stream at this URL.'),
  },
  'stream-not-acceptable': {
    ...ofGet,
    what: 'A GET for the stream of a session gets 406.',
    rightClient: 'Continues without the stream.',
    listen: () => new HttpError(406, 'The stream has no acceptable type.'),
  },
  'unsubscribed-update': {
    methods,
    what: 'There is a notification about a resource without a subscription.',
    rightClient: 'Ignores it.',
    section: sections.subscriptions,
    acceptedBy: byReport,
    wire: (response) => ({
      events: [
        notification('notifications/resources/updated', { uri: 'practice://books/99' }),
        response,
      ],
    }),
  },
  'decreasing-progress': {
    methods,
    what: 'The progress decreases from 50 to 20.',
    rightClient: 'Ignores the second notification.',
    section: sections.progressFlow,
    acceptedBy: byReport,
    wire(response, { params }) {
      const { progressToken = 'none' } = (params._meta ?? {}) as JsonObject;
      return { events: [progress(progressToken, 50), progress(progressToken, 20), response] };
    },
  },
});
