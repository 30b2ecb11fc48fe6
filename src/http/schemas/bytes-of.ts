/** Describes bodies that are sent unchanged. */

import type { Readable } from 'node:stream';
import { Type } from 'typebox';

export const bytesOf = (mediaTypes: string | readonly string[], description?: string) => ({
  ...(description !== undefined && { description }),
  content: Object.fromEntries(
    [mediaTypes].flat().map((type) => [type, { schema: Type.Unsafe<Buffer | Readable>({}) }]),
  ),
});
