/** Whether a request only reads, so that it may be repeated. */

import { requireLazily } from '#base/require-lazily.js';
import { readBodyParameters } from './read-parameters.js';

const graphql = requireLazily<typeof import('graphql')>('graphql');

/** Longer documents are not examined. */
const maxTokens = 2000;

/** Returns `undefined` for a persisted or malformed document. */
export function onlyReads(body: Buffer): boolean | undefined {
  try {
    const { query, operationName } = readBodyParameters(JSON.parse(body.toString('utf8')));
    if (query === '') return undefined;
    const { getOperationAST, parse } = graphql();
    const document = parse(query, { maxTokens, noLocation: true });
    const operation = getOperationAST(document, operationName);
    return operation ? operation.operation === 'query' : undefined;
  } catch {
    return undefined;
  }
}
