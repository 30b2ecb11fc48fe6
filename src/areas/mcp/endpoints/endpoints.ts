/** The endpoints of the Model Context Protocol. */

import { type TSchema, Type } from 'typebox';
import type { Awaitable } from '#base/awaitable.js';
import { turns } from '#base/work-in-turns.js';
import { redirectOtherSpelling } from '#http/address/exact-url.js';
import { addVary } from '#http/caching/caching.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import { type Endpoint, endpoint, openExceptTypos, type Step, unvalidated } from '#kit/endpoint.js';
import type { IssuerSteering } from '#kit/offers/issuer.js';
import { pageResponseHeaders } from '#kit/pages/send-page.js';
import { type Address, readAddress } from '../exchange/address.js';
import { arrivalInSandbox, observe, observeFailure } from '../exchange/observe.js';
import { addressesPath, permissionOf, protectedPath } from '../exchange/protect.js';
import { receivedValue } from '../exchange/receive-body.js';
import { RpcExchange, withRpcErrors } from '../exchange/rpc-exchange.js';
import { acceptsEvents } from '../messages/accepted-types.js';
import { onlyReads } from '../messages/only-reads.js';
import { path } from '../messages/paths.js';
import { sessionRevisions, sseRevision } from '../messages/revision.js';
import { failToListen } from '../misbehaviour/apply.js';
import { chooseMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { isMisbehaviour, isOfLogin } from '../misbehaviour/misbehaviours.js';
import { noteAcceptance } from '../misbehaviour/note-acceptance.js';
import { mcpRuns } from '../misbehaviour/runs.js';
import type { McpParts } from '../model/parts.js';
import { oldPaths } from '../model/session.js';
import { isForPage, sendMcpPage } from '../page/mcp-page.js';
import { openOldStream, receiveOldMessage } from '../sessions/old-sse.js';
import { endSession, serveListener } from '../sessions/serve-session.js';
import { checkOrigin } from './check-origin.js';
import { servePost } from './serve-post.js';

const runPath = `${addressesPath}/:run/:name`;

/** Paths of the protocol; others of the area are REST. */
export const protocolPaths: readonly string[] = [
  ...[path, protectedPath, runPath],
  ...Object.values(oldPaths),
];

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

const query = openExceptTypos(
  unvalidated({
    revisions: optionalText('Revisions that this URL supports, separated by commas.'),
    pageSize: optionalText('Items in each page of a list, 1 to 1000.'),
    misbehave: optionalText('A name of GET /mcp/test-plan.'),
    run: optionalText('The run of the misbehaviour.'),
    origins: optionalText('`any` allows pages of other origins.'),
  }),
);

const headers = unvalidated({
  'MCP-Protocol-Version': optionalText('The revision of the request.'),
  'Mcp-Session-Id': optionalText('The session, in revisions before 2026-07-28.'),
  'Mcp-Method': optionalText('The method in the body, since 2026-07-28.'),
  'Mcp-Name': optionalText('The name or the URI in the body, since 2026-07-28.'),
});

const lastEventId = unvalidated({
  'Last-Event-ID': optionalText('Resumes the stream after this event.'),
});

const message = Type.Unsafe<unknown>({
  title: 'McpMessage',
  type: 'object',
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'integer'] },
    method: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
    result: { type: 'object', additionalProperties: true },
    error: { type: 'object', additionalProperties: true },
  },
  required: ['jsonrpc'],
  additionalProperties: false,
});

const contentOf = (schema: TSchema, ...types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

const inJson = (description: string) => ({
  description,
  content: contentOf(message, 'application/json'),
});

const streams = contentOf(Type.Unsafe<string>({ type: 'string' }), 'text/event-stream');
const unbuffered = { 'X-Accel-Buffering': Type.Optional(Type.Literal('no')) };

const pageIsCurrent = Type.Null({ description: "The browser's copy of the page is current." });
const streamOrPage = {
  200: { ...vary, ...unbuffered, ...optional(pageResponseHeaders[200]) },
  304: { ...vary, ...pageResponseHeaders[304] },
};

const failures = { default: inJson('A JSON-RPC error.') };

/** An address of the server. */
interface Mount {
  readonly path: string;
  readonly before: Step;
  readonly beforeSend: Step;
  readonly isOfRun?: true;
  readonly hasPage?: true;
  readonly describedAs?: string;
  readonly addressOf: (request: Request) => Awaitable<Address>;
}

export function mcpEndpoints(parts: McpParts): readonly Endpoint[] {
  const { issuer } = parts.offered;
  const before: Step = async (request, reply) => {
    const isProtected = isProtectedAt(request);
    if (isProtected) redirectOtherSpelling(request, reply);
    if (reply.isSent) return;
    checkOrigin(request, parts.services);
    // Many requests may arrive at once, and each needs a part of a millisecond.
    await turns.whenFree();
    await observe(reply, isProtected ? issuer : undefined);
  };
  const { accounts } = parts.services.config;
  const beforeSend: Step = (request, reply) => {
    const { accountId, raw } = request;
    const isStranger = accountId === undefined && raw.actingSandbox === undefined;
    // A stranger has no sandbox.
    return accounts === 'required' && isStranger ? undefined : observeFailure(reply);
  };
  const steps = { before, beforeSend };
  const open: Mount = {
    path,
    hasPage: true,
    // A browser that opens the page is no client of the protocol.
    before: (request, reply) => (isForPage(request) ? undefined : before(request, reply)),
    beforeSend: (request, reply) => (isForPage(request) ? undefined : beforeSend(request, reply)),
    addressOf: (request) => addressAt(request, path),
  };
  const guarded = (issuer: IssuerSteering): Mount => ({
    path: protectedPath,
    ...steps,
    describedAs: path,
    addressOf: (request) => protectedAddress(issuer, request, protectedPath),
  });
  const ofRun: Mount = {
    path: runPath,
    isOfRun: true,
    describedAs: path,
    ...steps,
    addressOf: (request) => addressOfRun(issuer, request),
  };
  return [
    ...mounted(parts, open),
    ...(issuer === undefined ? [] : mounted(parts, guarded(issuer))),
    ...mounted(parts, ofRun),
    ...old(parts, before),
  ];
}

async function addressAt(request: Request, path: string): Promise<Address> {
  const misbehaviour = await chooseMisbehaviour(request, path);
  return readAddress(request, misbehaviour && { misbehaviour });
}

async function protectedAddress(
  issuer: IssuerSteering,
  request: Request,
  path: string,
): Promise<Address> {
  const misbehaviour = await chooseMisbehaviour(request, path);
  const permission = await permissionOf(issuer, request, misbehaviour);
  return readAddress(request, { permission, ...(misbehaviour && { misbehaviour }) });
}

/** Misbehaviours of the login are at an address that needs a token. */
function isProtectedAt({ route, params }: Request): boolean {
  const { name } = params as { name?: string };
  return route?.path === protectedPath || (isMisbehaviour(name) && isOfLogin(name));
}

async function addressOfRun(
  issuer: IssuerSteering | undefined,
  request: Request,
): Promise<Address> {
  const { run, name } = request.params as { run: string; name: string };
  const at = `${addressesPath}/${run}/${name}`;
  if (!isProtectedAt(request)) return addressAt(request, at);
  if (issuer === undefined) throw mcpRuns.unknown('case');
  return protectedAddress(issuer, request, at);
}

const mounted = (parts: McpParts, mount: Mount) => [
  sendMessage(parts, mount),
  listen(parts, mount),
  end(mount),
];

const runParameters = { run: Type.String(), name: Type.String() };

/** Returns the common properties of the endpoints of a mount. */
const shared = ({ before, beforeSend, isOfRun, describedAs }: Mount) => ({
  ...(describedAs && { describedAs }),
  ...(isOfRun && { params: runParameters }),
  beforeSend,
  before,
});

const sendMessage = (parts: McpParts, { addressOf, ...mount }: Mount) =>
  endpoint('POST', mount.path, {
    ...shared({ addressOf, ...mount }),
    summary: 'Send a message of the Model Context Protocol',
    description:
      'A message with the revision 2026-07-28 in its _meta needs no session. `initialize` begins a session of an older revision. The response is JSON, or a stream if there are messages before it. `/mcp/protected` is the same server behind OAuth.',
    query,
    headers,
    onlyReads,
    bodies: { 'application/json': message },
    responses: {
      200: {
        description: 'The response.',
        content: { ...contentOf(message, 'application/json'), ...streams },
      },
      202: Type.Null({ description: 'The message needs no response.' }),
      ...failures,
    },
    responseHeaders: {
      200: { ...unbuffered, 'Mcp-Session-Id': optionalText('The new session.') },
    },
    async handle(request, reply) {
      const address = await addressOf(request);
      return withRpcErrors(request, reply, async () => {
        await servePost(parts, request, reply, address);
        return reply;
      });
    },
  });

const listen = (parts: McpParts, { addressOf, ...mount }: Mount) =>
  endpoint('GET', mount.path, {
    ...shared({ addressOf, ...mount }),
    summary: mount.hasPage
      ? 'Stream messages of a session, or the page'
      : 'Stream messages of a session',
    description:
      'Only in revisions before 2026-07-28. Accept must list text/event-stream. With Last-Event-ID, the stream continues after that event.',
    query,
    headers: { ...headers, ...lastEventId, ...(mount.hasPage && unvalidated(ifNoneMatch)) },
    responses: {
      200: {
        description: mount.hasPage ? 'The stream, or the page for browsers.' : 'The stream.',
        content: { ...streams, ...(mount.hasPage && contentOf(Type.String(), 'text/html')) },
      },
      ...(mount.hasPage && { 304: pageIsCurrent }),
      ...failures,
    },
    responseHeaders: mount.hasPage ? streamOrPage : { 200: unbuffered },
    async handle(request, reply) {
      if (mount.hasPage) {
        addVary(reply, 'Accept');
        if (isForPage(request)) return sendMcpPage(request, reply, mount.path, parts.offered);
      }
      return openStream(parts, request, reply, await addressOf(request));
    },
  });

async function openStream(parts: McpParts, request: Request, reply: Reply, address: Address) {
  const { misbehaviour } = address;
  if (misbehaviour !== undefined) {
    await noteAcceptance(request, misbehaviour, undefined, (await arrivalInSandbox(reply)).timeMs);
  }
  const { supported } = address;
  // A server of 2024-11-05 has its stream at the URL that clients know.
  if (supported.length === 1 && supported[0] === sseRevision) {
    return openOldStream(parts, request, reply, address);
  }
  requireSessions(supported);
  if (!acceptsEvents(request.headers.accept)) {
    throw new HttpError(406, 'Accept must list text/event-stream.');
  }
  if (misbehaviour !== undefined) await failToListen(request, misbehaviour);
  return withRpcErrors(request, reply, () => serveListener(parts, request, reply, address));
}

function requireSessions(supported: readonly string[]): void {
  if (sessionRevisions.some((each) => supported.includes(each))) return;
  throw new HttpError(405, 'Revision 2026-07-28 has only POST.', { headers: { allow: 'POST' } });
}

const end = ({ addressOf, ...mount }: Mount) =>
  endpoint('DELETE', mount.path, {
    ...shared({ addressOf, ...mount }),
    summary: 'End a session',
    description: 'Only in revisions before 2026-07-28.',
    query,
    headers,
    responses: { 204: Type.Null(), ...failures },
    async handle(request, reply) {
      const address = await addressOf(request);
      requireSessions(address.supported);
      return withRpcErrors(request, reply, () => endSession(request, reply, address));
    },
  });

const old = (parts: McpParts, before: Step) => [
  endpoint('GET', oldPaths.events, {
    summary: 'Start a session of revision 2024-11-05',
    description: 'The first event, `endpoint`, has the URL for messages.',
    before,
    query,
    responses: { 200: { description: 'The stream.', content: streams }, ...failures },
    responseHeaders: { 200: unbuffered },
    async handle(request, reply) {
      return openOldStream(parts, request, reply, await addressAt(request, oldPaths.events));
    },
  }),
  endpoint('POST', oldPaths.messages, {
    // The first event of the stream has its URL.
    hide: true,
    before,
    onlyReads,
    query: { ...query, ...unvalidated({ sessionId: Type.String() }) },
    bodies: { 'application/json': message },
    responses: {
      202: {
        description: 'The message was received.',
        content: contentOf(Type.String(), 'text/plain'),
      },
      ...failures,
    },
    async handle(request, reply) {
      return withRpcErrors(request, reply, async () => {
        const value = receivedValue(request);
        const address = await addressAt(request, oldPaths.messages);
        await receiveOldMessage(new RpcExchange(parts, reply, address), value);
        return reply;
      });
    },
  }),
];
