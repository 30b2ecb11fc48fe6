/** Conversations with language models, of about a given size. All are accepted. */

import { list, name } from './measured-request.js';

type Shapes = Readonly<Record<string, (size: number) => string>>;

const reversed = (count: number) => list(count, (index) => name(index)).reverse();

const user = (text: string) => ({ role: 'user', parts: [{ text }] });
const call = (id: string) => ({ functionCall: { id, name: 'f', args: {} } });
const result = (id: string) => ({ functionResponse: { id, name: 'f', response: {} } });

export const geminiShapes: Shapes = {
  contents: (size) =>
    JSON.stringify({
      contents: list(size / 80, () => '').flatMap(() => [
        user('a'),
        { ...user('b'), role: 'model' },
      ]),
    }),
  parts: (size) =>
    JSON.stringify({ contents: [{ parts: list(size / 12, () => '').map(() => ({ text: 'a' })) }] }),
  'calls and responses': (size) =>
    JSON.stringify({
      contents: [
        user('a'),
        ...list(size / 150, name).flatMap((id) => [
          { role: 'model', parts: [call(id)] },
          { role: 'user', parts: [result(id)] },
        ]),
      ],
    }),
  'calls at once, with responses in reverse': (size) => {
    const count = size / 115;
    return JSON.stringify({
      contents: [
        user('a'),
        { role: 'model', parts: list(count, name).map(call) },
        { role: 'user', parts: reversed(count).map(result) },
      ],
    });
  },
};

const said = (content: string) => ({ role: 'user', content });
const called = (own: string) => ({ function: { name: own, arguments: {} } });
const returned = (own: string) => ({ role: 'tool', tool_name: own, content: 'a' });
const chat = (messages: readonly object[], more: object = {}) =>
  JSON.stringify({ model: 'practice-1', stream: false, messages, ...more });

export const ollamaShapes: Shapes = {
  messages: (size) => chat(list(size / 31, () => 'a').map(said)),
  'calls and results': (size) =>
    chat(
      list(size / 130, name).flatMap((own) => [
        { role: 'assistant', tool_calls: [called(own)] },
        returned(own),
      ]),
    ),
  'calls at once, with results in reverse': (size) =>
    chat([
      { role: 'assistant', tool_calls: list(size / 90, name).map(called) },
      ...reversed(size / 90).map(returned),
    ]),
  'sequences that nearly stop a text': (size) => {
    const stop = list(20, (index) => `${'a'.repeat(size / 50)}${index}`);
    return chat([said(`repeat: ${'a'.repeat(size / 2)}`)], { options: { stop } });
  },
};
