/** Error responses: makes all REST error bodies. */

import type { Logger } from 'pino';
import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { lazily } from '#base/lazily.js';
import { shownPath } from '#http/address/mount.js';
import { prefixOf, sentTargetOf } from '#http/address/sandbox-address.js';
import { isBelow } from '#http/address/target.js';
import { addVary } from '#http/caching/caching.js';
import type { Exchanges, Reply, Request } from '#http/exchange.js';
import {
  type ErrorBody,
  errorBody,
  HttpError,
  jsonContentType,
  type ShapedFailure,
  unexpectedFailure,
} from '#http/http-error.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import type { Area } from '#kit/area.js';
import type { AnySpec } from '#kit/endpoint.js';
import { describeFaults } from '#kit/input/describe-faults.js';
import { InputError } from '#kit/input/read-input.js';
import type { TutorialHints } from '#kit/offers/entries.js';
import { CapacityError, StateUnavailableError } from '#state/state.js';
import type { Router, Unroutable } from './router.js';
import { type RelatedPaths, relatedPaths } from './suggestions/related-paths.js';
import type { SuggestPaths } from './suggestions/suggest-paths.js';

/** Makes the error page for a browser; the suggestions are paths from the root. */
export type ShowError = (
  request: Request,
  error: ErrorBody,
  suggestions: readonly string[],
) => Promise<ShapedFailure>;

/** Returns a failure in the format that its request accepts; `undefined` for the common format. */
type ShapeError = (request: Request, error: ErrorBody) => Awaitable<ShapedFailure | undefined>;

export function errorShapes(areas: readonly Area[]): ShapeError {
  const all = areas.flatMap(({ failures = [] }) => failures);
  return (request, error) => {
    const path = request.url.split('?', 1)[0] ?? '';
    // A client with a wrong base URL may request a path below another area.
    const found =
      all.find(({ negotiated }) => negotiated?.claims?.(request)) ??
      (request.route === undefined
        ? all.find(({ negotiated }) => negotiated?.lost?.some((end) => path.endsWith(end)))
        : undefined) ??
      all.find(({ negotiated }) => negotiated?.below.some((each) => isBelow(path, each)));
    return found?.shape(request, error);
  };
}

/** Makes the function that responds to errors of steps and handlers. */
export function failureResponder(
  log: Logger,
  shapeError: ShapeError,
  showError: ShowError | undefined,
  paths: Router<unknown>,
  hints: TutorialHints | undefined,
): Exchanges['fail'] {
  const related = lazily(() => relatedPaths(paths.paths));
  const failTwice = (fault: unknown, request: Request, reply: Reply) => {
    logFailure(log, request, fault);
    sendError(reply, new HttpError(500, unexpectedFailure));
  };
  return (error, request, reply) => {
    const found = withPathsBelow(toHttpError(error), request, related);
    const httpError = withAlternate(found, request, hints);
    if (httpError.status >= 500 && !isExpected(error)) logFailure(log, request, error);
    const body = bodyOf(httpError);
    const send = (shaped: ShapedFailure | undefined): Awaitable<void> => {
      const page =
        shaped === undefined && showError !== undefined && canBePage(httpError, request, reply)
          ? showError
          : undefined;
      if (page !== undefined) addVary(reply, 'Accept');
      return page === undefined || !prefersPage(request.headers.accept)
        ? sendError(reply, httpError, shaped)
        : page(request, body, httpError.suggestions).then((shown) =>
            sendError(reply, httpError, shown),
          );
    };
    try {
      const sent = whenKnown(shapeError(request, body), send);
      if (sent instanceof Promise) sent.catch((fault) => failTwice(fault, request, reply));
    } catch (fault) {
      failTwice(fault, request, reply);
    }
  };
}

/**
 * Returns whether browsers get a page: for what does not exist, and for requests that were not
 * routed. A simulated failure and the error of a protocol keep their format.
 */
function canBePage({ status, extra }: HttpError, { route }: Request, reply: Reply): boolean {
  const isOwnFormat = Object.hasOwn(extra, 'error') || reply.getHeader('x-simulated') !== undefined;
  return !isOwnFormat && (status === 404 || route === undefined);
}

/** A segment that is no value of a parameter may begin a path: `/api/webhooks/verify`. */
function withPathsBelow(
  error: HttpError,
  request: Request,
  related: () => RelatedPaths,
): HttpError {
  const { status, message, headers, extra, suggestions } = error;
  const isOfValue = request.route?.path.includes(':') === true;
  if (status !== 404 || !isOfValue || suggestions.length > 0 || Object.hasOwn(extra, 'error')) {
    return error;
  }
  const below = related().below(pathOf(request), true);
  if (below.length === 0) return error;
  const hint = meantPaths(request, below);
  return new HttpError(404, message + hint, { headers, body: extra, suggestions: below });
}

/** Makes the handler of requests without an endpoint: 404 or 405, as a page for browsers. */
export function unroutedHandler(
  router: Router<unknown>,
  shapeError: ShapeError,
  showError: ShowError | undefined,
  suggest: SuggestPaths,
  hints: TutorialHints | undefined,
): AnySpec['handle'] {
  return async (request, reply) => {
    const allowed = router.methodsAt(request.url);
    const suggestions = allowed ? [] : await suggest(request);
    const error = allowed
      ? methodNotAllowed(request, allowed, methodElsewhere(router, request))
      : unknownPath(request, suggestions, hints);
    addVary(reply, 'Accept');
    const body = bodyOf(error);
    const isShown = showError !== undefined && prefersPage(request.headers.accept);
    const shaped = isShown
      ? await showError(request, body, suggestions)
      : await shapeError(request, body);
    sendError(reply, error, shaped);
    return reply;
  };
}

/** Returns a path one segment longer that supports the method, such as the path of a record for a collection. */
function methodElsewhere(router: Router<unknown>, request: Request): string | undefined {
  const { method, url } = request;
  if (isMcpMessage(request) && router.methodsAt('/mcp')?.includes(method)) return '/mcp';
  const found = router.find(url);
  if (typeof found !== 'object') return undefined;
  const start = found.place.path === '/' ? '/' : `${found.place.path}/`;
  for (const path of router.paths) {
    const rest = path.startsWith(start) ? path.slice(start.length) : '';
    if (!/^:\w+$/.test(rest) || !router.methodsAt(path)?.includes(method)) continue;
    return `${(url.split('?', 1)[0] ?? '').replace(/\/$/, '')}/{${rest.slice(1)}}`;
  }
  return undefined;
}

/** Clients of MCP accept both JSON and events. */
function isMcpMessage({ method, headers: { accept = '' } }: Request): boolean {
  return method === 'POST' && accept.includes('text/event-stream');
}

/** RFC 9110 section 15.5.6. */
function methodNotAllowed(
  request: Request,
  allowed: readonly string[],
  elsewhere: string | undefined,
): HttpError {
  const { method, raw } = request;
  const allow = allowed.join(', ');
  const hint =
    elsewhere === undefined
      ? ''
      : ` ${method} ${prefixOf(raw)}${shownPath(raw, elsewhere)} is supported.`;
  const message = `${method} is not supported here. This path supports ${allow}.${hint}`;
  return new HttpError(405, message, { headers: { allow } });
}

export const unroutableErrors: Readonly<Record<Unroutable, HttpError>> = {
  malformed: new HttpError(
    400,
    'The URL is malformed: each % must be followed by two hex digits, which together make UTF-8.',
  ),
  'too long': new HttpError(414, 'A segment of the path is too long.'),
};

/** Returns whether an error is a response, or the state has already logged it. */
function isExpected(error: unknown): boolean {
  return error instanceof HttpError || error instanceof StateUnavailableError;
}

/** Logs an error that no caller could have caused. */
export function logFailure(log: Logger, request: Request, error: unknown): void {
  const { id, method, route } = request;
  log.error({ err: error, requestId: id, method, route: route?.path }, 'request failed');
}

function bodyOf({ status, message, extra }: HttpError): ErrorBody {
  return errorBody(status, message, extra);
}

function sendError(reply: Reply, error: HttpError, shaped?: ShapedFailure): void {
  // Node creates an error for each write to a client that has left.
  if (reply.raw.destroyed) return;
  reply
    .dropContent()
    .code(shaped?.status ?? error.status)
    .headers(error.headers)
    .headers(shaped?.headers ?? {})
    .header('content-type', shaped?.contentType ?? jsonContentType)
    .serializer(String)
    .send(shaped?.body ?? JSON.stringify(bodyOf(error)));
}

function unknownPath(
  request: Request,
  suggestions: readonly string[],
  hints: TutorialHints | undefined,
): HttpError {
  // Without the query, which may contain a secret.
  const path = sentTargetOf(request.raw).split('?', 1)[0] ?? '';
  const isAtRoot = request.raw.mount === undefined;
  const bases = (isAtRoot ? (hints?.find(pathOf(request)) ?? []) : []).map(
    ({ title, base }) => ` The base URL of ${title} is ${request.baseUrl}${base} here.`,
  );
  const hint = meantPaths(request, suggestions) + bases.join('');
  return new HttpError(
    404,
    `There is nothing at ${path}.${hint} GET ${prefixOf(request.raw)}/ lists what this service offers.`,
  );
}

/** Adds where another API has the path of a request that is malformed here. */
function withAlternate(error: HttpError, request: Request, hints: TutorialHints | undefined) {
  const found = error.status === 400 ? hints?.findAlternate(request) : undefined;
  if (found === undefined) return error;
  const { title, base } = found;
  const message = `${error.message} The base URL of ${title} is ${request.baseUrl}${base} here.`;
  return new HttpError(error.status, message, { headers: error.headers, body: error.extra });
}

const pathOf = ({ url }: Request) => url.split('?', 1)[0] ?? '';

/** Returns ` Did you mean …?`, or an empty text. */
function meantPaths({ raw }: Request, suggestions: readonly string[]): string {
  const reachable = suggestions.filter((each) => each.startsWith(raw.mount?.prefix ?? ''));
  const meant = reachable.map((each) => prefixOf(raw) + shownPath(raw, each)).join(' or ');
  return meant === '' ? '' : ` Did you mean ${meant}?`;
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof CapacityError) return new HttpError(409, error.message);
  if (error instanceof StateUnavailableError) {
    return new HttpError(503, error.message, { headers: { 'retry-after': '1' } });
  }
  if (error instanceof InputError) {
    const { faults, part } = error.faults;
    const errors = describeFaults(faults, part);
    const message = errors.map((fault) => fault.message).join(' ');
    return new HttpError(400, message, { body: { errors } });
  }
  return new HttpError(500, unexpectedFailure);
}
