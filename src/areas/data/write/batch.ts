/** Several writes in one request: checks the operations, and determines the outcome if one fails. */

import { type Static, Type } from 'typebox';
import { errorBody, type FieldFault, HttpError } from '#http/http-error.js';
import { CapacityError } from '#state/state.js';
import { rejectFaults } from '../source/faults.js';

export const kinds = { POST: 'create', PUT: 'replace', PATCH: 'merge', DELETE: 'remove' } as const;

export const anyId = Type.Union([Type.Integer(), Type.String({ minLength: 1, maxLength: 100 })]);

export const operationSchema = Type.Object(
  {
    method: Type.Unsafe<keyof typeof kinds>({ type: 'string', enum: Object.keys(kinds) }),
    id: Type.Optional(anyId),
    body: Type.Optional(
      Type.Unknown({
        description: 'A record, or for PATCH a merge patch or an array: a JSON patch.',
      }),
    ),
    ifMatch: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Same as the header If-Match.' }),
    ),
  },
  { title: 'BatchOperation' },
);

export type SentOperation = Static<typeof operationSchema>;

export const batchSchema = Type.Object(
  {
    operations: Type.Array(operationSchema, { maxItems: 100 }),
    atomic: Type.Optional(Type.Boolean({ default: false })),
  },
  { title: 'Batch' },
);

export interface OperationResult {
  readonly status: number;
  readonly body: unknown;
}

export class BatchError extends HttpError {}

/** For a body that has no fields. It is not stored for repeated requests. */
export class BodyError extends HttpError {}

/** Throws 400 with the missing and forbidden members of each operation. */
export function checkOperations(operations: readonly SentOperation[]): void {
  const faults: FieldFault[] = [];
  for (const [index, { method, id, body, ifMatch }] of operations.entries()) {
    const isNew = method === 'POST';
    const wantsBody = method !== 'DELETE';
    const fault = (member: string, says: string) =>
      faults.push({
        field: `operations.${index}.${member}`,
        message: `Operation ${index}: ${says}`,
      });
    if (isNew && id !== undefined) fault('id', 'POST must not have an id; the service assigns it.');
    if (!isNew && id === undefined) fault('id', `${method} needs the id of a record.`);
    if (isNew && ifMatch !== undefined) fault('ifMatch', 'POST must not have ifMatch.');
    if (wantsBody && body === undefined) fault('body', `${method} needs a body.`);
    if (!wantsBody && body !== undefined) fault('body', `${method} must not have a body.`);
  }
  rejectFaults(faults);
}

/**
 * Performs operations in order. Independent: an error is the operation's result. All or nothing: the first error is
 * thrown, with its `index`. A {@link BatchError} is thrown in both cases.
 */
export function runOperations<Operation>(
  operations: readonly Operation[],
  isAtomic: boolean,
  perform: (operation: Operation) => OperationResult,
): OperationResult[] {
  return operations.map((operation, index) => {
    try {
      return perform(operation);
    } catch (thrown) {
      const error = asHttpError(thrown);
      if (error === undefined || error instanceof BatchError) throw thrown;
      const { status, message, headers, extra } = error;
      if (!isAtomic) return { status, body: errorBody(status, message, extra) };
      const inWhole = `Operation ${index} of the batch failed, so nothing was done: ${message}`;
      throw new HttpError(status, inWhole, { headers, body: { ...extra, index } });
    }
  });
}

/** Returns the response to an error that the client caused; `undefined` for a server error. */
export function asHttpError(thrown: unknown): HttpError | undefined {
  if (thrown instanceof CapacityError) return new HttpError(409, thrown.message);
  return thrown instanceof HttpError ? thrown : undefined;
}
