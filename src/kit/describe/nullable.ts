/** Text or null, as one type rather than a union, so that messages name the fault inside. */

import { Type } from 'typebox';

export const nullableText = (options: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });
