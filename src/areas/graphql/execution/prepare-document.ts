/** Prepares the text of a document for execution, or finds its errors. */

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  type ValidationRule,
  validate,
} from 'graphql';
import { countIntrospection } from '../documents/count-introspection.js';
import { findMergeConflicts } from '../documents/find-merge-conflicts.js';
import {
  type DocumentSize,
  type ExecutableDocument,
  measureDocument,
} from '../documents/measure-document.js';
import { scanDocument } from '../documents/scan-document.js';
import { type ErrorEntry, excess, formatError } from '../outcome/format-error.js';
import { limits } from '../outcome/limits.js';
import { weighPlans } from './plan-query.js';

/** An executable document, or `errors` that explain why it is not. */
export type PreparedDocument = {
  /** Present also for documents with errors, unless they could not be parsed. */
  readonly document?: DocumentNode;
  readonly operations: readonly OperationDefinitionNode[];
  /** Approximate memory in bytes. */
  readonly weight: number;
} & (
  | (ExecutableDocument & { readonly errors?: undefined })
  | { readonly errors: readonly ErrorEntry[] }
);

/** Memory of a parsed token: the token, its share of the tree, and locations. */
const bytesPerToken = 500;

export function prepareDocument(
  text: string,
  schema: GraphQLSchema,
  rules: readonly ValidationRule[],
): PreparedDocument {
  const bytes = byteLength(text);
  if (bytes > limits.bytes) return rejected(text, excess('bytes', bytes));
  const { tokens, nesting } = scanDocument(text);
  if (tokens > limits.tokens) return rejected(text, excess('tokens', tokens));
  if (nesting > limits.nesting) return rejected(text, excess('nesting', nesting));

  let document: DocumentNode;
  try {
    document = parse(text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return rejected(text, formatError(error, { code: 'SYNTAX_ERROR' }));
  }
  const size = measureDocument(document);
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const weight = text.length * 2 + tokens * bytesPerToken;
  const excesses = findExcesses(size);
  if (excesses.length > 0) return { document, operations, errors: excesses, weight };
  const errors = validationErrors(document, size, schema, rules);
  if (errors.length > 0) return { document, operations, errors, weight };
  const introspectionValues = countIntrospection(schema, document, size.introspections);
  if (introspectionValues > limits.values) {
    const errors = [excess('values', introspectionValues)];
    return { document, operations, errors, weight };
  }
  const executable = { document, size, introspectionValues };
  return { operations, ...executable, weight: weight + weighPlans(executable) };
}

function rejected(text: string, error: ErrorEntry): PreparedDocument {
  return { operations: [], errors: [error], weight: text.length * 2 };
}

function findExcesses({ depth, fields, aliases, introspections }: DocumentSize): ErrorEntry[] {
  const sizes = { depth, fields, aliases, introspections: introspections.length };
  return (['depth', 'fields', 'aliases', 'introspections'] as const)
    .filter((limit) => sizes[limit] > limits[limit])
    .map((limit) => excess(limit, sizes[limit]));
}

/** Returns the length in UTF-8, without counting if it is obvious. */
function byteLength(text: string): number {
  return text.length * 3 <= limits.bytes ? text.length : Buffer.byteLength(text);
}

function validationErrors(
  document: DocumentNode,
  size: DocumentSize,
  schema: GraphQLSchema,
  rules: readonly ValidationRule[],
): ErrorEntry[] {
  const broken = validate(schema, document, rules, { maxErrors: limits.errors });
  const room = limits.errors - broken.length;
  const conflicts = size.hasCycle || room <= 0 ? [] : findMergeConflicts(schema, document, room);
  // One more than the limit shows that there are more.
  return [...broken, ...conflicts]
    .slice(0, limits.errors)
    .map((error) => formatError(error, error.extensions));
}
