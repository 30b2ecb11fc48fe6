/** Details of errors of Google's APIs, each with its type. */

import type { JsonObject } from '#base/json-object.js';

export const googleDetail = (type: string, members: JsonObject): JsonObject => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...members,
});
