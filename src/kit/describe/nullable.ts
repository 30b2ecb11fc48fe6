/** Text or null, as one type instead of a union, so that messages name the fault inside. */

import { Type } from 'typebox';

export const nullableText = (options: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });
