/** The faults that every service can respond to a Body with, whatever its operations. */

import type { FaultType } from './soap-fault.js';

export const invalidBody = {
  name: 'InvalidBody',
  fields: { Elements: 'int' },
} as const satisfies FaultType;

export const unknownOperation = {
  name: 'UnknownOperation',
  fields: { Namespace: 'string', Name: 'string', Operation: { listOf: 'string' } },
} as const satisfies FaultType;

export const invalidParameters = {
  name: 'InvalidParameters',
  fields: {
    Parameter: {
      listOf: { name: 'InvalidParameter', fields: { Name: 'string', Message: 'string' } },
    },
  },
} as const satisfies FaultType;

export const internalFailure = {
  name: 'InternalFailure',
  fields: {},
} as const satisfies FaultType;
