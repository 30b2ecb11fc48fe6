/** Parses the signatures of a message, from Signature-Input and Signature: RFC 9421 section 4. */

import { type InnerList, structuredFields } from '#http/headers/structured-fields.js';
import type { SignedMessage } from './messages/message.js';
import { attempt, check, isInnerList } from './messages/message-fault.js';

export interface MessageSignature {
  readonly label: string;
  readonly input: InnerList;
  readonly bytes: Buffer;
  readonly created?: number;
  readonly expires?: number;
  readonly nonce?: string;
  readonly keyid?: string;
  readonly alg?: string;
  readonly tag?: string;
}

const maxFieldLength = 8192;
const maxSignatures = 5;
const maxComponents = 50;

const numbers = ['created', 'expires'];
const texts = ['nonce', 'keyid', 'alg', 'tag'];

/** Keeps their order. Rejects duplicates, which verifiers interpret differently. Throws a {@link MessageFault}. */
export function parseSignatures({ fields }: SignedMessage): readonly MessageSignature[] {
  const inputText = fields.textOf('signature-input');
  const text = fields.textOf('signature');
  check(inputText !== '', 'The message has no Signature-Input.');
  check(text !== '', 'The message has no Signature.');
  check(
    inputText.length <= maxFieldLength && text.length <= maxFieldLength,
    `Signature-Input and Signature have at most ${maxFieldLength} characters each.`,
  );
  const { parseDictionary } = structuredFields();
  const inputs = attempt(() => parseDictionary(inputText), 'Signature-Input is not a dictionary: ');
  const values = attempt(() => parseDictionary(text), 'Signature is not a dictionary: ');
  check(inputs.size <= maxSignatures, `The message has more than ${maxSignatures} signatures.`);
  let parameterCount = 0;
  const signatures = [...inputs].map(([label, input]) => {
    check(isInnerList(input), `${label} in Signature-Input is not a list of components.`);
    const value = values.get(label)?.[0];
    const isBytes = value instanceof ArrayBuffer;
    check(isBytes, `Signature has no byte sequence with the label ${label}.`);
    parameterCount += input[1].size;
    for (const [, parameters] of input[0]) parameterCount += parameters.size;
    return signatureOf(label, input, Buffer.from(value));
  });
  for (const label of values.keys()) {
    check(inputs.has(label), `Signature-Input has no label ${label}.`);
  }
  // Parsers keep only the last duplicate, so sent names are counted and compared with the parsed ones.
  const bare = inputText.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  check(
    count(bare, /\(/g) === inputs.size &&
      count(bare, /;/g) === parameterCount &&
      count(text, /,/g) + 1 === inputs.size,
    'A label or a parameter occurs twice. Send each once.',
  );
  return signatures;
}

function count(text: string, mark: RegExp): number {
  return text.match(mark)?.length ?? 0;
}

function signatureOf(label: string, input: InnerList, bytes: Buffer): MessageSignature {
  const [components, parameters] = input;
  const isShort = components.length <= maxComponents;
  check(isShort, `${label} covers more than ${maxComponents} components.`);
  const seen = new Set<string>();
  for (const [name, each] of components) {
    check(typeof name === 'string', `${label} has a component that is not a string.`);
    const id = JSON.stringify([name, [...each].map(String).sort()]);
    check(!seen.has(id), `${label} covers ${name} twice.`);
    seen.add(id);
  }
  for (const name of numbers) {
    const isRight = Number.isSafeInteger(parameters.get(name) ?? 0);
    check(isRight, `${label}: ${name} must be an integer of Unix seconds.`);
  }
  for (const name of texts) {
    const isRight = typeof (parameters.get(name) ?? '') === 'string';
    check(isRight, `${label}: ${name} must be a string.`);
  }
  // The registry of parameters is open (RFC 9421 section 6.3); the signature covers all of them.
  const known = [...parameters].filter(([name]) => [...numbers, ...texts].includes(name));
  return { label, input, bytes, ...Object.fromEntries(known) };
}
