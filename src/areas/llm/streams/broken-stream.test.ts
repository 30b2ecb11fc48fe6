import { expectTypeOf, test } from 'vitest';
import { type BrokenStream, whole } from './broken-stream.js';

test('a stream needs an effect', () => {
  const stream = { ...whole, nature: 'odd', what: 'Nothing changes.' } as const;
  expectTypeOf(stream).not.toExtend<BrokenStream>();
  expectTypeOf({ ...stream, end: 'reset' } as const).toExtend<BrokenStream>();
});
