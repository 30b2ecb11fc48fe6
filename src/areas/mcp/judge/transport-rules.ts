/** Rules about HTTP: types, headers, sessions and tokens. */

import { isJsonType, mediaType } from '#http/body/request-body.js';
import { cite } from '#kit/verdict/citations.js';
import { orderOf } from '#kit/verdict/exchange.js';
import {
  absentHeaders,
  argumentHeaders,
  decodeHeader,
  isMirrored,
  nameSources,
} from '#stdio/mirrored-headers.js';
import { acceptsBoth, acceptsEvents } from '../messages/accepted-types.js';
import { isRevision, isSince } from '../messages/revision.js';
import { sections } from '../messages/sections.js';
import { metaOf, type Observed } from './observed.js';
import { type Checked, type ClientRule, checkEach, faultUnless } from './rule.js';

/** Checks messages of Streamable HTTP; revision 2024-11-05 has another transport. */
const ofPost =
  (check: (observed: Observed) => Checked) =>
  (observed: Observed): Checked =>
    observed.httpMethod === 'POST' && !observed.isOld ? check(observed) : undefined;

/** Checks requests of 2026-07-28. */
const ofStateless =
  (check: (observed: Observed) => Checked) =>
  (observed: Observed): Checked =>
    observed.isStateless && observed.requests.length > 0 ? check(observed) : undefined;

const ofSession =
  (check: (observed: Observed) => Checked) =>
  (observed: Observed): Checked =>
    observed.session === undefined ? undefined : check(observed);

const everywhere: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'accept-both-types',
    section: sections.sending,
    what: 'Accept of a POST lists both media types.',
    right: 'Send Accept: application/json, text/event-stream.',
    check: ofPost(({ headers: { accept } }) =>
      faultUnless(
        accept !== undefined && acceptsBoth(accept),
        () => `Accept: ${accept ?? '(none)'}`,
      ),
    ),
  },
  {
    level: 'must',
    name: 'accept-event-stream',
    section: sections.listening,
    what: 'Accept of a GET lists text/event-stream.',
    right: 'Send Accept: text/event-stream.',
    check: ({ httpMethod, isOld, headers: { accept } }) =>
      httpMethod === 'GET' && !isOld
        ? faultUnless(acceptsEvents(accept), () => `Accept: ${accept ?? '(none)'}`)
        : undefined,
  },
  {
    name: 'content-type-json',
    level: 'should',
    section: cite('RFC 9110', '8.3'),
    what: 'A POST has the type application/json.',
    right: 'Send Content-Type: application/json.',
    check: ofPost(({ headers: { 'content-type': type } }) =>
      faultUnless(mediaType(type) === 'application/json', () => `Content-Type: ${type}`),
    ),
  },
  {
    level: 'must',
    name: 'body-is-json',
    section: sections.sending,
    what: 'The body of a POST is JSON.',
    right: 'Send one JSON-RPC message in UTF-8.',
    check: ({ httpMethod, headers, value }) =>
      httpMethod === 'POST' && isJsonType(headers['content-type'])
        ? faultUnless(value !== undefined, 'no JSON')
        : undefined,
  },
  {
    level: 'must',
    name: 'no-token-in-query',
    section: sections.tokenRequirements,
    what: 'The query has no access token.',
    right: 'Send the token only in the Authorization header.',
    check: ({ query, isProtected, isOld }) => {
      if (isOld) return undefined;
      const isSent = 'access_token' in query;
      return isSent || isProtected ? faultUnless(!isSent, 'access_token in the query') : undefined;
    },
  },
  {
    level: 'must',
    name: 'bearer-scheme',
    section: sections.tokenRequirements,
    what: 'A token is sent with the scheme Bearer.',
    right: 'Send Authorization: Bearer, followed by the token.',
    check: ({ headers: { authorization }, isProtected }) =>
      isProtected && authorization !== undefined
        ? faultUnless(/^Bearer \S+$/i.test(authorization), 'another form of Authorization')
        : undefined,
  },
];

const stateless: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'version-header',
    section: sections.protocolVersionHeader,
    what: 'MCP-Protocol-Version is the version in _meta.',
    right: 'Send MCP-Protocol-Version with the value in _meta.',
    check: ofStateless((observed) =>
      checkEach(observed.requests, (request) => {
        const sent = observed.headers['mcp-protocol-version'];
        const { 'io.modelcontextprotocol/protocolVersion': version } = metaOf(request);
        if (typeof version !== 'string') return undefined;
        return faultUnless(sent === version, () => `MCP-Protocol-Version: ${sent ?? '(none)'}`);
      }),
    ),
  },
  {
    level: 'must',
    name: 'method-header',
    section: sections.requestHeaders,
    what: 'Mcp-Method is the method in the body.',
    right: 'Send Mcp-Method with the method, in the same letter case.',
    check: ofStateless((observed) =>
      checkEach(observed.requests, ({ method }) => {
        const sent = observed.headers['mcp-method'];
        return faultUnless(sent === method, () => `Mcp-Method: ${sent ?? '(none)'}`);
      }),
    ),
  },
  {
    level: 'must',
    name: 'name-header',
    section: sections.requestHeaders,
    what: 'Mcp-Name is the name or the URI in the body.',
    right: 'Send Mcp-Name for tools/call, prompts/get and resources/read.',
    check: ofStateless((observed) =>
      checkEach(observed.requests, ({ method, params }) => {
        const name = params[nameSources.get(method) ?? ''];
        if (typeof name !== 'string') return undefined;
        const sent = observed.headers['mcp-name'];
        if (typeof sent === 'string' && decodeHeader(sent) === undefined) return undefined;
        const isRight = typeof sent === 'string' && isMirrored(sent, name);
        return faultUnless(isRight, () => `Mcp-Name: ${sent ?? '(none)'}`);
      }),
    ),
  },
  {
    level: 'must',
    name: 'argument-headers',
    section: sections.customHeaders,
    what: 'Mcp-Param headers are the arguments that have x-mcp-header.',
    right: 'Send Mcp-Param-{name} for each such argument that is sent.',
    check: ofStateless((observed) =>
      checkEach(observed.requests, ({ method, params }) => {
        const schema = method === 'tools/call' ? observed.schemaOf(params.name) : undefined;
        const isListed = observed.memory.listed.includes(String(params.name));
        return checkEach(argumentHeaders(schema, params.arguments), (each) => {
          const sent = observed.headers[each.header.toLowerCase()];
          const text = String(sent ?? '(none)');
          if (decodeHeader(text) === undefined) return undefined;
          // A client that has not listed the tool does not know its headers.
          if (sent === undefined && !isListed) return undefined;
          return faultUnless(
            typeof sent === 'string' && isMirrored(sent, each.value),
            () => `${each.header}: ${text}`,
          );
        });
      }),
    ),
  },
  {
    level: 'must',
    name: 'no-headers-of-absent-arguments',
    section: sections.customHeaderBehavior,
    what: 'An argument that is null or absent has no Mcp-Param header.',
    right: 'Omit Mcp-Param-{name} of an argument without a value.',
    check: ofStateless((observed) =>
      checkEach(observed.requests, ({ method, params }) => {
        if (method !== 'tools/call') return undefined;
        const absent = absentHeaders(observed.schemaOf(params.name), params.arguments);
        return checkEach(absent, (header) => {
          const sent = observed.headers[header.toLowerCase()];
          return faultUnless(sent === undefined, () => `${header}: ${sent}, without the argument`);
        });
      }),
    ),
  },
  {
    level: 'must',
    name: 'header-encoding',
    section: sections.valueEncoding,
    what: 'Mirrored headers are plain ASCII, or valid Base64 in the sentinel.',
    right: 'Encode other values as =?base64?…?=.',
    check: ofStateless(({ headers }) => {
      const mirrored = Object.entries(headers).filter(
        ([name]) => name === 'mcp-name' || name.startsWith('mcp-param-'),
      );
      return checkEach(mirrored, ([name, value]) =>
        faultUnless(decodeHeader(String(value)) !== undefined, () => `${name}: ${value}`),
      );
    }),
  },
  {
    name: 'no-session-header',
    level: 'should',
    section: sections.earlierRevisions,
    what: 'A request of 2026-07-28 has no session.',
    right: 'Omit Mcp-Session-Id.',
    check: ofStateless(({ headers }) =>
      faultUnless(headers['mcp-session-id'] === undefined, 'Mcp-Session-Id'),
    ),
  },
  {
    name: 'no-resumption',
    level: 'should',
    section: sections.receiving,
    what: 'A broken stream of 2026-07-28 is not resumed.',
    right: 'Omit Last-Event-ID, and send the request again.',
    check: ofStateless(({ headers }) =>
      faultUnless(headers['last-event-id'] === undefined, 'Last-Event-ID'),
    ),
  },
  {
    level: 'must',
    name: 'no-responses',
    section: sections.sendingStateless,
    what: 'A client of 2026-07-28 sends no responses.',
    right: 'Send the request again with inputResponses.',
    check: ({ isStateless, messages, httpMethod }) =>
      isStateless && httpMethod === 'POST'
        ? faultUnless(!messages.some(({ kind }) => kind === 'reply'), 'a JSON-RPC response')
        : undefined,
  },
];

const ofHandshake = ['ping', 'initialize'];

/** The notification may be on its way, on another connection. */
function afterInitialized(observed: Observed, method: string): Checked {
  const { session, memory } = observed;
  if (session?.isInitialized === true || memory.isInitialized === true) return true;
  const isFurther = memory.exchanges.some(({ respondedAtMs, ...each }) => {
    if (respondedAtMs === undefined || ofHandshake.includes(each.method)) return false;
    return orderOf(observed, { ...each, respondedAtMs }) === 'after';
  });
  if (isFurther) return method;
  return { sent: method, decidedBy: 'a further request without notifications/initialized' };
}

const sessions: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'session-version-header',
    section: sections.sessionVersionHeader,
    what: 'Requests of a session since 2025-06-18 have MCP-Protocol-Version.',
    right: 'Send MCP-Protocol-Version with the negotiated revision.',
    check: ofSession(({ headers, revision }) => {
      if (revision === undefined || !isSince(revision, '2025-06-18')) return undefined;
      const sent = headers['mcp-protocol-version'];
      return faultUnless(sent !== undefined, 'no MCP-Protocol-Version');
    }),
  },
  {
    name: 'negotiated-version',
    level: 'should',
    section: sections.sessionVersionHeader,
    what: 'MCP-Protocol-Version is the revision that initialize returned.',
    right: 'Send the negotiated revision.',
    // Earlier revisions and HTTP+SSE do not know the header.
    check: ofSession(({ headers, revision, isOld }) => {
      if (isOld || revision === undefined || !isSince(revision, '2025-06-18')) return undefined;
      const sent = headers['mcp-protocol-version'];
      return sent === undefined || !isRevision(sent)
        ? undefined
        : faultUnless(sent === revision, () => `MCP-Protocol-Version: ${sent}`);
    }),
  },
  {
    level: 'must',
    name: 'initialized-first',
    section: sections.initialization,
    what: 'A client sends notifications/initialized before requests other than ping.',
    right: 'Send notifications/initialized after the result of initialize.',
    check: ofSession((observed) =>
      checkEach(observed.requests, ({ method }) =>
        ofHandshake.includes(method) ? undefined : afterInitialized(observed, method),
      ),
    ),
  },
  {
    level: 'must',
    name: 'initialize-once',
    section: sections.initialization,
    what: 'A session has only one initialize.',
    right: 'Begin a new session without Mcp-Session-Id.',
    check: ofSession(({ requests, isOld, memory }) => {
      // A session of 2024-11-05 begins with its stream, before initialize.
      const isBegun = !isOld || memory.exchanges.some(({ method }) => method === 'initialize');
      return checkEach(requests, ({ method }) =>
        faultUnless(method !== 'initialize' || !isBegun, method),
      );
    }),
  },
  {
    level: 'must',
    name: 'batches-by-revision',
    section: sections.oneMessage,
    what: 'Only sessions of 2025-03-26 have batches.',
    right: 'Send one message in each POST.',
    check: ({ isBatch, revision, httpMethod }) =>
      httpMethod === 'POST' && revision !== undefined
        ? faultUnless(!isBatch || revision === '2025-03-26', 'a batch')
        : undefined,
  },
  {
    level: 'must',
    name: 'event-id-form',
    section: sections.resumability,
    what: 'Last-Event-ID is an id of an event.',
    right: 'Send the id of the last event of the broken stream, unchanged.',
    check: ofSession(({ headers }) => {
      const sent = headers['last-event-id'];
      if (typeof sent !== 'string' || sent === '') return undefined;
      return faultUnless(/^[\w-]{1,40}_\d{1,15}$/.test(sent), () => `Last-Event-ID: ${sent}`);
    }),
  },
];

export const transportRules: readonly ClientRule[] = [...everywhere, ...stateless, ...sessions];
