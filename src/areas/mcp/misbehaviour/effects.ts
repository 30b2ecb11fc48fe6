/** Makes effects that several cases have. */

import type { JsonObject } from '#base/json-object.js';
import type { Effects, Met, MetResponse } from './case.js';

/** Changes the result of a response. */
export const inResult =
  (change: (result: JsonObject, met: MetResponse) => JsonObject): Effects['response'] =>
  (response, met) => ({ ...response, result: change(response.result as JsonObject, met) });

/** Adds a tool to the list, and members to the result. */
export const adding = (
  makeTool: (met: MetResponse) => JsonObject,
  more: JsonObject = {},
): Effects['response'] =>
  inResult((result, met) => ({
    ...result,
    tools: [...(result.tools as readonly JsonObject[]), makeTool(met)],
    ...more,
  }));

/** Fails each time. */
export const failing =
  (errorOf: (met: Met) => Error): Effects['fail'] =>
  async (met, note) => {
    await note();
    return errorOf(met);
  };
