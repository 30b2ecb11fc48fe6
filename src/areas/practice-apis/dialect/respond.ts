/** Responds to the requests of a practice API by its routes. */

import FindMyWay from 'find-my-way';
import { lazily } from '#base/lazily.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { respondToPreflight } from '#http/preflight.js';
import { html } from '#kit/pages/html.js';
import { renderEndpoints, sendList } from '#kit/pages/list-page.js';
import type { Services } from '#kit/services.js';
import { countRequest, type RateWindow } from '#state/count-request.js';
import type { Space } from '#state/state.js';
import { baseMark, Call } from './call.js';
import { declarationOf } from './declaration.js';
import { describeDialect } from './describe.js';
import type { Dialect, Handle, Route } from './dialect.js';
import { optionsOf } from './options.js';
import { Outcome } from './outcome.js';

const windows: Space<RateWindow> = { name: 'practice-api-windows', maxKeys: 20 };

type Responder = (request: Request, reply: Reply) => Promise<unknown>;

export function responderOf(dialect: Dialect, services: Services): Responder {
  const find = finderOf([...dialect.routes, ...ownRoutes(dialect)]);
  const notFound = unknown(dialect);
  return (request, reply) => {
    // Without the mount, whose letters a client may have encoded.
    const target = request.url.replace(/^\/[^/?]*/, '');
    const found = find(request.method, target.startsWith('/') ? target : `/${target}`);
    const call = new Call(request, reply, services, dialect, found?.params);
    return respond(dialect, call, found?.handle ?? notFound);
  };
}

type Find = (
  method: string,
  target: string,
) => { readonly handle: Handle; readonly params: Call['params'] } | undefined;

function finderOf(routes: readonly Route[]): Find {
  const router = FindMyWay({
    ...{ caseSensitive: false, ignoreTrailingSlash: true, querystringParser: () => ({}) },
    // The service has rejected long segments.
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });
  const handled = () => undefined;
  for (const { methods, path, handle } of routes) {
    router.on([...methods] as FindMyWay.HTTPMethod[], path, handled, handle);
  }
  return (method, target) => {
    const search = (each: string) => router.find(each as FindMyWay.HTTPMethod, target);
    const found = search(method) ?? (method === 'HEAD' ? search('GET') : null);
    return found === null || found.store === null
      ? undefined
      : { handle: found.store, params: found.params as Call['params'] };
  };
}

/** The originals have a page at their base URL, which lists their resources, too. */
const index = (dialect: Dialect, path: string): Route => ({
  id: 'index',
  methods: ['GET'],
  path,
  summary: 'List the resources',
  handle: (call) => sendIndex(call, dialect, path),
});

async function sendIndex(call: Call, dialect: Dialect, base: string): Promise<unknown> {
  const { request, reply } = call;
  const { name, title, summary } = dialect;
  const { first: target, bases: [version = ''] = [] } = declarationOf(name);
  const first = (base === '/' ? version : '') + target;
  const url = call.url(base === '/' ? '' : base);
  const routes = dialect.routes.filter(({ path }) => path.startsWith(base));
  const listed = {
    ...{ name: title, summary, first: url + first },
    endpoints: routes.flatMap(({ methods, path, summary }) =>
      methods.map((method) => ({ method, url: call.url(shownPattern(path)), summary })),
    ),
  };
  const isOnOwnPort = request.raw.mount !== undefined;
  if (isOnOwnPort) return listed;
  return sendList(request, reply, listed, ({ endpoints }) => ({
    ...{ title, says: summary, guide: `practice-apis/${name}` },
    parts: [
      html`<p>Base URL: <code>${url}</code>. A first request: <a href="${url}${first}"><code>GET ${first}</code></a></p>`,
      renderEndpoints(endpoints.map((each) => ({ ...each, path: each.url.slice(url.length) }))),
    ],
  }));
}

/** Describes itself, at a path that no original has. */
function ownRoutes(dialect: Dialect): Route[] {
  const bases = ['/', ...(declarationOf(dialect.name).bases ?? [])];
  return [...bases.map((base) => index(dialect, base)), ...descriptionOf(dialect)];
}

const shownPattern = (path: string) => path.replace(/:(\w+)/g, '{$1}');

function descriptionOf(dialect: Dialect): Route[] {
  if (dialect.description !== undefined) return [];
  const description = lazily(() => describeDialect(dialect));
  return [
    {
      id: 'describe',
      methods: ['GET'],
      path: '/openapi.json',
      summary: 'Describe the API',
      handle: (call) => ({ ...description(), servers: [{ url: call.url() }] }),
    },
  ];
}

function unknown({ unknown: handle }: Dialect): Handle {
  return (call) => {
    const { request, reply } = call;
    if (request.method !== 'OPTIONS') return handle(call);
    respondToPreflight(request, reply);
    return undefined;
  };
}

async function respond(dialect: Dialect, call: Call, handle: Handle): Promise<unknown> {
  const { reply } = call;
  const { send = sendLikeExpress } = dialect;
  try {
    const early = (await limited(dialect, call)) ?? (await dialect.before?.(call));
    const value = early ?? (await handle(call));
    if (reply.isSent) return reply;
    return await send(call, value instanceof Outcome ? value : new Outcome(200, value));
  } catch (error) {
    if (reply.isSent) return reply;
    if (error instanceof Outcome) return send(call, error);
    const { failure } = dialect;
    if (!(error instanceof HttpError) || failure === undefined) throw error;
    return send(
      call,
      new Outcome(error.status, failure(error.status, error.message), error.headers),
    );
  }
}

/** Counts the request if the sandbox has rate limits, and returns the rejection beyond the limit. */
async function limited(
  { name, limit }: Dialect,
  { request, reply }: Call,
): Promise<Outcome | undefined> {
  const { sandbox } = request;
  if (limit === undefined || !(await optionsOf(sandbox)).rateLimits) return undefined;
  const figures = { limit: limit.requests, windowSeconds: limit.seconds };
  const { isAccepted, window } = await sandbox.update(windows, name, (before, nowMs) =>
    countRequest(before, nowMs, figures),
  );
  reply.headers({
    'x-ratelimit-limit': String(limit.requests),
    'x-ratelimit-remaining': String(limit.requests - window.used),
    'x-ratelimit-reset': String(Math.ceil(window.endsAtMs / 1000)),
  });
  return isAccepted ? undefined : limit.outcome;
}

/** Writes JSON in which records have complete URLs. */
export function jsonOf(call: Call, value: unknown): string {
  return JSON.stringify(value).replaceAll(baseMark, call.url());
}

function sendLikeExpress(call: Call, { status, body, headers }: Outcome): Reply {
  const reply = call.reply.code(status).headers(headers);
  if (body === undefined || body === null) return reply.send(body === null ? 'null' : undefined);
  if (Buffer.isBuffer(body)) return reply.send(body);
  const isText = typeof body === 'string';
  if (!reply.hasHeader('content-type')) {
    reply.type(`${isText ? 'text/html' : 'application/json'}; charset=utf-8`);
  }
  return reply.serializer(String).send(isText ? body : jsonOf(call, body));
}
