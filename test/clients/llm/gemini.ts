/** The package `@google/genai`. */

import { type Content, GoogleGenAI } from '@google/genai';
import { abortAtText, geminiKey, joined, type MakeClient, model, weatherTool } from './client.js';
import { citySchema, tripSchema } from './schemas.js';

/** Retries more often than the failures of a test. */
const retryOptions = { attempts: 4 };

export const geminiBelow = (below: string) =>
  new GoogleGenAI({
    apiKey: geminiKey,
    httpOptions: { baseUrl: `${below}/llm/gemini`, retryOptions },
  });

export const geminiSdk: MakeClient = (below) => {
  const { models } = geminiBelow(below);
  async function* stream(contents: string, abortSignal?: AbortSignal) {
    const config = abortSignal ? { abortSignal } : {};
    const chunks = await models.generateContentStream({ model, contents, config });
    for await (const { text } of chunks) yield text ?? '';
  }
  return {
    text: async (contents) => (await models.generateContent({ model, contents })).text ?? '',
    streamText: (prompt) => joined(stream(prompt)),
    async useTool(prompt, tool) {
      const { $schema: _, ...parametersJsonSchema } = citySchema.toJSONSchema();
      const config = {
        tools: [{ functionDeclarations: [{ ...weatherTool, parametersJsonSchema }] }],
      };
      const contents: Content[] = [{ role: 'user', parts: [{ text: prompt }] }];
      for (;;) {
        const response = await models.generateContent({ model, contents, config });
        const { functionCalls: calls = [], candidates } = response;
        if (calls.length === 0) return response.text ?? '';
        const parts = calls.map(({ id, name, args }) => ({
          functionResponse: {
            ...(id && { id }),
            ...(name && { name }),
            response: { output: tool(citySchema.parse(args).city) },
          },
        }));
        contents.push(candidates?.[0]?.content ?? {}, { role: 'user', parts });
      }
    },
    async value(contents) {
      const { $schema: _, ...responseJsonSchema } = tripSchema.toJSONSchema();
      const config = { responseMimeType: 'application/json', responseJsonSchema };
      const { text = '' } = await models.generateContent({ model, contents, config });
      return tripSchema.parse(JSON.parse(text));
    },
    abort(prompt) {
      const controller = new AbortController();
      return abortAtText(stream(prompt, controller.signal), controller);
    },
  };
};
