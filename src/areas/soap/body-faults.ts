/** Faults of the Body that every service can respond with, for any operation. */

import { faultType } from './soap-fault.js';

export const invalidBody = faultType('InvalidBody', { Elements: 'int' });

export const unknownOperation = faultType('UnknownOperation', {
  Namespace: 'string',
  Name: 'string',
  Operation: { listOf: 'string' },
});

export const invalidParameters = faultType('InvalidParameters', {
  Parameter: {
    listOf: { name: 'InvalidParameter', fields: { Name: 'string', Message: 'string' } },
  },
});

export const internalFailure = faultType('InternalFailure', {});
