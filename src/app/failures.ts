/** Error responses: makes all REST error bodies. */

import type { Logger } from 'pino';
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
import { suggestPaths } from './nearest-paths.js';
import type { Router, Unroutable } from './router.js';

/** Makes the error page for a browser; the suggestions are paths from the root. */
export type ShowError = (
  request: Request,
  error: ErrorBody,
  suggestions: readonly string[],
) => Promise<ShapedFailure>;

/** Returns a failure in the format that its request accepts; `undefined` for the common format. */
type ShapeError = (request: Request, error: ErrorBody) => ShapedFailure | undefined;

export function errorShapes(areas: readonly Area[]): ShapeError {
  const all = areas.flatMap(({ failures = [] }) => failures);
  return (request, error) => {
    const found = all.find(({ negotiated }) =>
      negotiated?.below.some((path) => isBelow(request.url, path)),
    );
    return found?.shape(request, error);
  };
}

/** Makes the function that responds to errors of steps and handlers. */
export function failureResponder(
  log: Logger,
  shapeError: ShapeError,
  showError: ShowError | undefined,
  hints: TutorialHints | undefined,
): Exchanges['fail'] {
  const failTwice = (fault: unknown, request: Request, reply: Reply) => {
    logFailure(log, request, fault);
    sendError(reply, new HttpError(500, unexpectedFailure));
  };
  return (error, request, reply) => {
    const httpError = withAlternate(toHttpError(error), request, hints);
    if (httpError.status >= 500 && !isExpected(error)) logFailure(log, request, error);
    const body = bodyOf(httpError);
    try {
      const shaped = shapeError(request, body);
      const page =
        shaped === undefined && showError !== undefined && canBePage(httpError, request, reply)
          ? showError
          : undefined;
      if (page !== undefined) addVary(reply, 'Accept');
      if (page === undefined || !prefersPage(request.headers.accept)) {
        sendError(reply, httpError, shaped);
        return;
      }
      page(request, body, httpError.suggestions)
        .then((shown) => sendError(reply, httpError, shown))
        .catch((fault) => failTwice(fault, request, reply));
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

/** Makes the handler of requests without an endpoint: 404 or 405, as a page for browsers. */
export function unroutedHandler(
  router: Router<unknown>,
  shapeError: ShapeError,
  showError: ShowError | undefined,
  hints: TutorialHints | undefined,
): AnySpec['handle'] {
  const apart = hints?.below.map((path) => path.slice(1));
  const suggest = lazily(() => suggestPaths(router.paths, apart));
  return async (request, reply) => {
    const allowed = router.methodsAt(request.url);
    const suggestions = allowed ? [] : suggest()(request.url.split('?', 1)[0] ?? '');
    const error = allowed
      ? methodNotAllowed(request.method, allowed)
      : unknownPath(request, suggestions, hints);
    addVary(reply, 'Accept');
    const body = bodyOf(error);
    const isShown = showError !== undefined && prefersPage(request.headers.accept);
    const shaped = isShown
      ? await showError(request, body, suggestions)
      : shapeError(request, body);
    sendError(reply, error, shaped);
    return reply;
  };
}

/** RFC 9110 section 15.5.6. */
function methodNotAllowed(method: string, allowed: readonly string[]): HttpError {
  const allow = allowed.join(', ');
  const message = `${method} is not supported here. This path supports ${allow}.`;
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
    .code(error.status)
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
  const prefix = prefixOf(request.raw);
  const { mount } = request.raw;
  const reachable = suggestions.filter((each) => each.startsWith(mount?.prefix ?? ''));
  const meant = reachable.map((each) => prefix + shownPath(request.raw, each)).join(' or ');
  const hint = meant === '' ? '' : ` Did you mean ${meant}?`;
  const tutorials =
    mount === undefined ? (hints?.find(request.url.split('?', 1)[0] ?? '') ?? []) : [];
  const bases = tutorials.map(
    ({ title, base }) => ` The base URL of ${title} is ${request.baseUrl}${base} here.`,
  );
  return new HttpError(
    404,
    `There is nothing at ${path}.${hint}${bases.join('')} GET ${prefix}/ lists what this service offers.`,
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
