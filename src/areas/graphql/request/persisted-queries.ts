/**
 * Automatic persisted queries: a client sends the hash of a document, and the document only if its
 * hash is unknown.
 */

import { createHash } from 'node:crypto';
import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { CapacityError, type Sandbox, type Space, StateUnavailableError } from '#state/state.js';
import { errorsBody, requestError } from '../outcome/format-error.js';
import { limits } from '../outcome/limits.js';
import type { Outcome } from '../outcome/outcome.js';
import type { Parameters } from './read-parameters.js';

/** Documents by hash. A further document drops the oldest. */
const persistedQueries: Space<string> = { name: 'graphql-persisted-queries', maxKeys: 500 };

/** Returns the parameters with their document, or an outcome for an unknown or wrong hash. */
export function findDocument(
  parameters: Parameters,
  sandbox: Sandbox,
): Awaitable<Parameters | Outcome> {
  const { query, sha256Hash } = parameters;
  if (sha256Hash === undefined) return parameters;
  if (query !== '') return isTooLong(query, limits.bytes) ? parameters : checkHash(parameters);
  const found = whenKnown(sandbox.read(persistedQueries, sha256Hash), (known) =>
    known === undefined ? notFound : { ...parameters, query: known },
  );
  return found instanceof Promise ? found.catch(unavailable) : found;
}

/**
 * Registers the document of a valid request under its hash. Without room, the request still
 * succeeds.
 */
export async function registerDocument(
  { query, sha256Hash }: Parameters,
  sandbox: Sandbox,
): Promise<void> {
  if (sha256Hash === undefined || isTooLong(query, limits.persistedBytes)) return;
  try {
    // Most requests repeat a known hash, and a read is cheaper than a write.
    if ((await sandbox.read(persistedQueries, sha256Hash)) !== undefined) return;
    const change = () => ({ value: query, result: undefined });
    await sandbox.update(persistedQueries, sha256Hash, change);
  } catch (error) {
    const isExpected = error instanceof CapacityError || error instanceof StateUnavailableError;
    if (!isExpected) throw error;
  }
}

function isTooLong(query: string, maxBytes: number): boolean {
  return query.length > maxBytes || Buffer.byteLength(query) > maxBytes;
}

function checkHash(parameters: Parameters): Parameters | Outcome {
  const hash = createHash('sha256').update(parameters.query).digest('hex');
  if (hash === parameters.sha256Hash) return parameters;
  const message = `extensions.persistedQuery.sha256Hash is not the SHA-256 of query, which is ${hash}.`;
  return { kind: 'malformed', body: errorsBody([requestError('INVALID_REQUEST', message)]) };
}

/** Clients compare this message, and then send the document with the hash. */
const notFound: Outcome = {
  kind: 'persisted-query-not-found',
  body: errorsBody([requestError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')]),
};

function unavailable(error: unknown): Outcome {
  if (!(error instanceof StateUnavailableError)) throw error;
  const entry = requestError('STATE_UNAVAILABLE', error.message);
  return { kind: 'unavailable', body: errorsBody([entry]) };
}
