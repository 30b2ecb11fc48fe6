/** Makes the answer of whatever a request threw; the one place where REST error bodies come from. */

import type { FastifyError, FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { ShapedFailure } from '../faults/wire/failure-response.js';
import { addVary } from '../http/caching/caching.js';
import type { Reply, Request } from '../http/exchange.js';
import { type ErrorBody, errorBody, HttpError, unexpectedFailure } from '../http/http-error.js';
import { prefersPage } from '../http/prefers-page.js';
import { prefixOf, sentTargetOf } from '../http/sandbox-address.js';
import { CapacityError, StateUnavailableError } from '../state/state.js';
import type { ShapeError } from './error-shapes.js';
import { type KnownPaths, methodNotAllowed } from './method-not-allowed.js';
import { describeFaults } from './schema-compilers.js';

export const jsonContentType = 'application/json; charset=utf-8';

/** What a browser is shown in place of an error that no route made; the suggestions are paths from the root. */
export type ShowError = (
  request: Request,
  error: ErrorBody,
  suggestions: readonly string[],
) => Promise<ShapedFailure>;

export function respondToErrors(
  app: FastifyInstance,
  { methodsAt, nearestTo }: KnownPaths,
  log: Logger,
  shapeError: ShapeError,
  showError?: ShowError,
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const httpError = toHttpError(error);
    if (httpError.status >= 500 && !isExpected(error)) logFailure(log, request, error);
    return sendError(reply, httpError, shapeError(request, bodyOf(httpError)));
  });

  app.setNotFoundHandler(async (request, reply) => {
    const allowed = methodsAt(request.url);
    const suggestions = allowed ? [] : nearestTo(request.url.split('?', 1)[0] ?? '');
    const error = allowed
      ? methodNotAllowed(request.method, allowed)
      : unknownPath(request, suggestions);
    addVary(reply, 'Accept');
    const body = bodyOf(error);
    const isShown = showError !== undefined && prefersPage(request.headers.accept);
    const shaped = isShown
      ? await showError(request, body, suggestions)
      : shapeError(request, body);
    return sendError(reply, error, shaped);
  });
}

/** What was meant as an answer, and what the state says once for all requests. */
function isExpected(error: unknown): boolean {
  return error instanceof HttpError || error instanceof StateUnavailableError;
}

/** Notes an error that no caller could have caused; the answer itself tells nothing of it. */
export function logFailure(log: Logger, request: Request, error: unknown): void {
  const { id, method, routeOptions } = request;
  log.error({ err: error, requestId: id, method, route: routeOptions.url }, 'request failed');
}

function bodyOf({ status, message, extra }: HttpError): ErrorBody {
  return errorBody(status, message, extra);
}

/** Sends an error in the documented shape, or in the one that it has been given. */
export function sendError(reply: Reply, error: HttpError, shaped?: ShapedFailure): Reply {
  // Serialized here, not by the route: its response schema describes other bodies.
  return reply
    .code(error.status)
    .headers(error.headers)
    .headers(shaped?.headers ?? {})
    .header('content-type', shaped?.contentType ?? jsonContentType)
    .serializer(String)
    .send(shaped?.body ?? JSON.stringify(bodyOf(error)));
}

function unknownPath(request: Request, suggestions: readonly string[]): HttpError {
  const path = pathOf(request);
  const prefix = prefixOf(request.raw);
  const meant = suggestions.map((each) => prefix + each).join(' or ');
  const hint = meant === '' ? '' : ` Did you mean ${meant}?`;
  return new HttpError(
    404,
    `There is nothing at ${path}.${hint} GET ${prefix}/ lists what this service offers.`,
  );
}

function toHttpError(error: FastifyError): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof CapacityError) return new HttpError(409, error.message);
  if (error instanceof StateUnavailableError) {
    return new HttpError(503, error.message, { headers: { 'retry-after': '1' } });
  }
  if (error.validation) {
    const errors = describeFaults(error.validation, error.validationContext);
    const message = errors.map((fault) => fault.message).join(' ');
    return new HttpError(400, message, { body: { errors } });
  }
  if (error.code === 'FST_ERR_BAD_URL') {
    return new HttpError(
      400,
      'The URL is malformed: each % must be followed by two hex digits, which together make UTF-8.',
    );
  }
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new HttpError(414, 'A segment of the path is too long.');
  }
  return new HttpError(500, unexpectedFailure);
}

/** For errors that the framework meets before a route is known, when no hook has run yet. */
export function respondToFrameworkError(error: FastifyError, reply: Reply): Reply {
  return sendError(reply, toHttpError(error));
}

/** Without the query, which may hold a secret. */
function pathOf({ raw }: Request): string {
  return sentTargetOf(raw).split('?', 1)[0] ?? '';
}
