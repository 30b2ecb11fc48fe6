/** Parts of contents: texts, media, calls of functions and their responses. */

import { array, record } from '#kit/input/fields/parts.js';
import { type Field, mapped, maybe, type ValueOf } from '#kit/input/fields/reader.js';
import { anything, boolean, text } from '#kit/input/fields/values.js';
import { reject } from '../../messages/mistake.js';
import { signThinking } from '../../messages/signature.js';
import { object, pathTo } from '../faults.js';

export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly isThought: boolean }
  | { readonly kind: 'media' }
  | {
      readonly kind: 'call';
      readonly id: string | undefined;
      readonly name: string;
      readonly arguments: string;
      readonly isSigned: boolean;
      readonly path: string;
    }
  | {
      readonly kind: 'result';
      readonly id: string | undefined;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      readonly path: string;
    };

export const functionName = text({
  pattern: /^[A-Za-z_][\w.:-]{0,127}$/,
  examples: ['get_weather'],
  expected: 'a letter or _, then at most 127 letters, digits, _, ., : and -',
});

const mimeTypes =
  /^(?:image\/(?:png|jpeg|webp|heic|heif)|audio\/\w|video\/\w|application\/pdf$|text\/\w)/;

const mimeType = text({
  pattern: mimeTypes,
  examples: ['image/png'],
  expected: 'a supported type, such as image/png',
});

const blob = object({
  mimeType,
  data: text({
    pattern: /^[A-Za-z0-9+/_-]+={0,2}$/,
    examples: ['iVBORw0KGgo='],
    expected: 'base64',
  }),
  displayName: maybe(text()),
});

const file = object({
  mimeType: maybe(mimeType),
  fileUri: text({
    pattern: /^https:\/\/\S/,
    examples: ['https://example.com/a.png'],
    expected: 'a URL that begins with https://',
  }),
  displayName: maybe(text()),
});

const call = object({ id: maybe(text()), name: functionName, args: maybe(record) });

const response = object({
  id: maybe(text()),
  name: functionName,
  response: record,
  willContinue: maybe(boolean),
  scheduling: maybe(text()),
  parts: maybe(array(record)),
});

const partBody = object({
  text: maybe(text()),
  thought: maybe(boolean),
  thoughtSignature: maybe(text({ examples: ['skip_thought_signature_validator'] })),
  inlineData: maybe(blob),
  fileData: maybe(file),
  functionCall: maybe(call),
  functionResponse: maybe(response),
  executableCode: maybe(record),
  codeExecutionResult: maybe(record),
  videoMetadata: maybe(record),
  mediaResolution: anything,
  partMetadata: maybe(record),
});

const kinds = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
] as const;

export const part = mapped(partBody, readPart);

function readPart(given: ValueOf<typeof partBody>, { path }: Field): Part {
  const present = kinds.filter((name) => given[name] !== undefined);
  const [, second] = present;
  if (second !== undefined)
    reject(pathTo(path, second), 'is a second kind of data; a part has one.');
  if (present.length === 0 && given.thoughtSignature === undefined) {
    reject(path, 'needs data, such as text.');
  }
  const { functionCall, functionResponse, thoughtSignature: signature } = given;
  if (functionCall !== undefined) {
    const { id, name, args = {} } = functionCall;
    const text = JSON.stringify(args);
    const isSigned = checkSignature(signature, signCall(name, text), path);
    return { kind: 'call', id, name, arguments: text, isSigned, path };
  }
  if (functionResponse !== undefined) {
    const { id, name, response: result } = functionResponse;
    const [only, ...others] = Object.values(result);
    const isPlain = typeof only === 'string' && others.length === 0;
    const text = isPlain ? only : JSON.stringify(result);
    return { kind: 'result', id, name, text, isError: 'error' in result, path };
  }
  if (given.text === undefined && present.length > 0) return { kind: 'media' };
  checkSignature(signature, textSignature, path);
  return { kind: 'text', text: given.text ?? '', isThought: given.thought === true };
}

/** The text of a response arrives in parts, so that its signature is not about it. */
export const textSignature = signThinking('text');

export const signCall = (name: string, args: string): string =>
  signThinking(JSON.stringify([name, args]));

/** The documented value for calls that the model has not made. */
const unsigned = 'skip_thought_signature_validator';

function checkSignature(given: string | undefined, right: string, path: string): boolean {
  if (given === undefined) return false;
  if (given === right || given === unsigned) return true;
  return reject(
    pathTo(path, 'thoughtSignature'),
    'was altered, or belongs to another part; send parts as received.',
    { rule: 'thinking-unaltered' },
  );
}
