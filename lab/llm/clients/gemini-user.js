/** A user of the package `@google/genai`. */

import { keys, timeout, tool, weatherOf } from './weather-tool.js';

/** @import { Begin, Load } from './weather-tool.js' */

/**
 * @param {Load} load
 * @returns {Promise<Begin>}
 */
export async function geminiUser(load) {
  const { GoogleGenAI } = await load('@google/genai');
  const { parameters: parametersJsonSchema, ...named } = tool;
  const functionDeclarations = [{ ...named, parametersJsonSchema }];
  return async ({ prompt, hasTool, result, gemini: baseUrl }) => {
    const { models } = new GoogleGenAI({
      apiKey: keys.gemini,
      httpOptions: { baseUrl, timeout },
    });
    const config = hasTool ? { tools: [{ functionDeclarations }] } : {};
    /** @param {any[]} contents */
    async function ask(contents) {
      const chunks = await models.generateContentStream({
        ...{ model: 'practice-1', contents, config },
      });
      const parts = [];
      for await (const { candidates } of chunks) {
        parts.push(...(candidates?.[0]?.content?.parts ?? []));
      }
      return parts;
    }
    const first = { role: 'user', parts: [{ text: prompt }] };
    const parts = await ask([first]);
    const responses = parts.flatMap(({ functionCall: call }) =>
      call === undefined
        ? []
        : [{ functionResponse: { ...call, response: { output: weatherOf(call.args, result) } } }],
    );
    for (const { functionResponse: response } of responses) delete response.args;
    const next = responses.length > 0 ? responses : [{ text: 'Thanks' }];
    const model = parts.length > 0 ? [{ role: 'model', parts }] : [];
    return () => ask([first, ...model, { role: 'user', parts: next }]);
  };
}
