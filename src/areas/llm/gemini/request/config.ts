/** Tools, the configuration of the generation, and other members of a request. */

import type { JsonObject } from '#base/json-object.js';
import { array, record } from '#kit/input/fields/parts.js';
import { absent, checked, described, mapped, maybe } from '#kit/input/fields/reader.js';
import { boolean, choice, decimal, integer, text } from '#kit/input/fields/values.js';
import type { ToolSpec } from '../../messages/conversation.js';
import { mistake, reject } from '../../messages/mistake.js';
import { jsonSchema } from '../../messages/schemas.js';
import { numeric, object, pathTo } from '../faults.js';
import { content } from './contents.js';
import { functionName } from './parts.js';
import { admit, googleSchema } from './schemas.js';

const maxTools = 128;
const maxStops = 5;
const { MAX_SAFE_INTEGER: highest } = Number;

const whole = (min: number, max: number = highest) => maybe(numeric(integer({ min, max })));
const number = (min: number, max: number) => maybe(numeric(decimal({ min, max })));

const noParameters: JsonObject = { type: 'object', properties: {} };

const declaration = mapped(
  object({
    name: functionName,
    description: maybe(text()),
    behavior: maybe(choice(['UNSPECIFIED', 'BLOCKING', 'NON_BLOCKING'])),
    parameters: maybe(googleSchema),
    parametersJsonSchema: maybe(jsonSchema),
    response: maybe(googleSchema),
    responseJsonSchema: maybe(jsonSchema),
  }),
  ({ name, description = '', parameters, parametersJsonSchema }, { path }) => {
    if (parameters !== undefined && parametersJsonSchema !== undefined) {
      reject(pathTo(path, 'parametersJsonSchema'), 'cannot be beside parameters.');
    }
    const schema = parameters ?? parametersJsonSchema ?? noParameters;
    const own = pathTo(path, parameters === undefined ? 'parametersJsonSchema' : 'parameters');
    if (schema.type !== 'object') reject(pathTo(own, 'type'), 'must be OBJECT.');
    return { name, description, schema, path };
  },
);

/** The model runs no tool of the provider. */
const ofProvider = maybe(record);

const tool = object({
  functionDeclarations: maybe(array(declaration, { max: maxTools })),
  googleSearch: ofProvider,
  googleSearchRetrieval: ofProvider,
  codeExecution: ofProvider,
  urlContext: ofProvider,
});

export const tools = mapped(array(tool), (given): readonly ToolSpec[] => {
  const all = given.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  const names = new Set<string>();
  for (const { name, path } of all) {
    if (names.has(name)) reject(pathTo(path, 'name'), 'is the name of another function, too.');
    names.add(name);
  }
  admit(all.map(({ path, schema }) => [pathTo(path, 'parameters'), schema]));
  return all.map(({ path: _, ...spec }) => spec);
});

export const toolConfig = object({
  functionCallingConfig: maybe(
    object({
      mode: maybe(choice(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'])),
      allowedFunctionNames: maybe(array(text())),
    }),
  ),
  retrievalConfig: maybe(record),
  includeServerSideToolInvocations: maybe(boolean),
});

const categories = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map(
  (each) => `HARM_CATEGORY_${each}`,
);

const thresholds = [
  ...['HARM_BLOCK_THRESHOLD_UNSPECIFIED', 'BLOCK_LOW_AND_ABOVE', 'BLOCK_MEDIUM_AND_ABOVE'],
  ...['BLOCK_ONLY_HIGH', 'BLOCK_NONE', 'OFF'],
];

export const safetySettings = checked(
  array(
    object({
      category: choice([...categories, 'HARM_CATEGORY_CIVIC_INTEGRITY']),
      threshold: choice(thresholds),
    }),
  ),
  (given, { path }) => {
    const seen = new Set<string>();
    for (const [index, { category }] of given.entries()) {
      if (seen.has(category)) {
        reject(pathTo(pathTo(path, index), 'category'), 'has another setting, too.');
      }
      seen.add(category);
    }
  },
);

export const systemInstruction = checked(content, ({ parts }, { path }) => {
  const other = parts.findIndex(({ kind }) => kind !== 'text');
  if (other >= 0) reject(pathTo(pathTo(path, 'parts'), other), 'must be text.');
});

export const cachedContent = described(
  checked(text(), (name) => {
    throw mistake(403, `Cached content '${name.slice(0, 60)}' is unknown here; remove it.`, {
      param: 'cached_content',
    });
  }),
  absent().schema,
);

const thinkingConfig = object({
  includeThoughts: maybe(boolean),
  thinkingBudget: whole(-1, 24_576),
  thinkingLevel: maybe(choice(['THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'])),
});

const resolutions = ['UNSPECIFIED', 'LOW', 'MEDIUM', 'HIGH'].map(
  (each) => `MEDIA_RESOLUTION_${each}`,
);

/** A member that changes nothing here. */
const unused = Object.fromEntries([['enableEnhancedCivicAnswers', maybe(boolean)]]) as Readonly<
  Record<never, never>
>;

export const generationConfig = object({
  stopSequences: maybe(array(text({ isFilled: true }), { max: maxStops })),
  responseMimeType: maybe(choice(['text/plain', 'application/json'])),
  responseSchema: maybe(googleSchema),
  responseJsonSchema: maybe(jsonSchema),
  responseModalities: maybe(array(choice(['TEXT', 'MODALITY_UNSPECIFIED']))),
  candidateCount: whole(1, 8),
  maxOutputTokens: whole(1),
  temperature: number(0, 2),
  topP: number(0, 1),
  topK: whole(1),
  seed: whole(-(2 ** 31), 2 ** 31 - 1),
  presencePenalty: number(-2, 2),
  frequencyPenalty: number(-2, 2),
  responseLogprobs: maybe(boolean),
  logprobs: whole(0, 20),
  ...unused,
  thinkingConfig: maybe(thinkingConfig),
  mediaResolution: maybe(choice(resolutions)),
  speechConfig: absent('is not supported here: the model writes text only.'),
  imageConfig: absent('is not supported here: the model writes text only.'),
});
