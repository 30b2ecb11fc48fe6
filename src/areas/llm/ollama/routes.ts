/** Endpoints of Ollama. */

import type { JsonObject } from '#base/json-object.js';
import { nextIds } from '../messages/positions.js';
import type { Generation, ProviderRoute } from '../messages/provider.js';
import { load } from './loaded.js';
import { embedBody, embedTexts, listLoaded, listTags, showBody, showModel } from './models.js';
import { chatBody, generateBody, type OllamaRequest, readChat, readGenerate } from './requests.js';
import {
  chatShape,
  generateShape,
  type Shape,
  streamResponse,
  writeLoaded,
  writeResponse,
} from './response.js';
import { chat, embedded, generated, loaded, shown, tags, version } from './response-schema.js';

/** The version of the API whose messages these are. */
const apiVersion = '0.12.0';

interface Given {
  readonly shape: Shape;
  readonly example: Generation['example'];
  readonly read: (body: JsonObject) => OllamaRequest;
  /** Whether a body has nothing to write. */
  readonly isEmpty: (body: JsonObject) => boolean;
}

const generationOf = ({ shape, example, read, isEmpty }: Given): Generation => ({
  kind: 'ollama',
  example: { ...example, stream: false },
  async read(body, { sandbox }) {
    const request = read(body);
    const { conversation, isStream, keepAliveMs, logprobs } = request;
    await load(sandbox, conversation.model, keepAliveMs);
    return {
      ...{ conversation, isStream, form: 'lines', logprobs },
      idOf: nextIds(conversation.turns),
      respond: ([completion], stamp) => writeResponse(shape, request, only(completion), stamp),
      events: ([completion], stamp) => streamResponse(shape, request, only(completion), stamp),
    };
  },
  async instead({ body, request: { sandbox } }) {
    if (!isEmpty(body)) return undefined;
    const request = read(body);
    await load(sandbox, request.conversation.model, request.keepAliveMs);
    return writeLoaded(shape, request, await sandbox.now());
  },
});

function only<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('A chat has one completion.');
  return value;
}

const isEmptyChat = ({ messages = null }: JsonObject) =>
  messages === null || (Array.isArray(messages) && messages.length === 0);

const question = 'What is the capital of Norway?';

export const ollamaRoutes: readonly ProviderRoute[] = [
  {
    method: 'POST',
    path: '/chat',
    summary: 'Chat with a model',
    description: 'The response is a stream of JSON lines, unless `stream` is false.',
    body: chatBody.schema,
    response: chat.schema,
    generation: generationOf({
      ...{ shape: chatShape, read: readChat, isEmpty: isEmptyChat },
      example: { messages: [{ role: 'user', content: question }] },
    }),
  },
  {
    method: 'POST',
    path: '/generate',
    summary: 'Generate a text',
    body: generateBody.schema,
    response: generated.schema,
    generation: generationOf({
      ...{ shape: generateShape, read: readGenerate },
      isEmpty: ({ prompt = '' }) => prompt === '' || prompt === null,
      example: { prompt: question },
    }),
  },
  {
    method: 'POST',
    path: '/embed',
    isHidden: true,
    summary: 'Embed texts',
    body: embedBody.schema,
    response: embedded.schema,
    handle: ({ body }) => embedTexts(body),
  },
  {
    method: 'POST',
    path: '/show',
    isHidden: true,
    summary: 'Show a model',
    body: showBody.schema,
    response: shown.schema,
    handle: ({ body }) => showModel(body),
  },
  {
    method: 'GET',
    path: '/tags',
    isHidden: true,
    summary: 'List the models',
    response: tags.schema,
    handle: listTags,
  },
  {
    method: 'GET',
    path: '/ps',
    isHidden: true,
    summary: 'List the loaded models',
    response: loaded.schema,
    handle: ({ request }) => listLoaded(request),
  },
  {
    method: 'GET',
    path: '/version',
    isHidden: true,
    summary: 'Get the version',
    response: version.schema,
    handle: () => ({ version: apiVersion }),
  },
];
