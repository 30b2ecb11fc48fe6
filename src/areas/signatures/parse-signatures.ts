/** The signatures of a message, from Signature-Input and Signature: RFC 9421 section 4. */

import { type Fault, isFault } from '../../http/credentials/fault.js';
import type { SignedMessage } from './message.js';
import {
  attempt,
  type InnerList,
  isInnerList,
  type Parameters,
  structuredFields,
} from './structured-fields.js';

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

const numbers = ['created', 'expires'] as const;
const texts = ['nonce', 'keyid', 'alg', 'tag'] as const;

/** In their order. What is ambiguous is a fault: whatever comes twice, verifiers read in two ways. */
export function parseSignatures(message: SignedMessage): readonly MessageSignature[] | Fault {
  const inputText = message.fields.textOf('signature-input');
  const text = message.fields.textOf('signature');
  if (inputText === '') return { fault: 'The message has no Signature-Input.' };
  if (text === '') return { fault: 'The message has no Signature.' };
  if (inputText.length > maxFieldLength || text.length > maxFieldLength) {
    return {
      fault: `Signature-Input and Signature have at most ${maxFieldLength} characters each.`,
    };
  }
  const { parseDictionary } = structuredFields();
  const inputs = attempt(() => parseDictionary(inputText));
  if (isFault(inputs)) return { fault: `Signature-Input is no dictionary: ${inputs.fault}` };
  const values = attempt(() => parseDictionary(text));
  if (isFault(values)) return { fault: `Signature is no dictionary: ${values.fault}` };
  if (inputs.size > maxSignatures)
    return { fault: `A message has at most ${maxSignatures} signatures here.` };

  const signatures: MessageSignature[] = [];
  let parameterCount = 0;
  for (const [label, input] of inputs) {
    if (!isInnerList(input))
      return { fault: `${label} in Signature-Input is no list of components.` };
    const value = values.get(label)?.[0];
    if (!(value instanceof ArrayBuffer)) {
      return { fault: `Signature has no byte sequence of the label ${label}.` };
    }
    const signature = signatureOf(label, input, Buffer.from(value));
    if (isFault(signature)) return signature;
    signatures.push(signature);
    parameterCount += input[1].size;
    for (const [, parameters] of input[0]) parameterCount += parameters.size;
  }
  for (const label of values.keys()) {
    if (!inputs.has(label)) return { fault: `Signature-Input has nothing of the label ${label}.` };
  }
  if (comesTwice(inputText, text, { labels: inputs.size, parameters: parameterCount })) {
    return { fault: 'A label or a parameter comes twice, so it is not clear which one is meant.' };
  }
  return signatures;
}

/** Parsers keep the last of a name, so what was sent is counted beside what was kept. */
function comesTwice(
  inputs: string,
  values: string,
  kept: { readonly labels: number; readonly parameters: number },
): boolean {
  const bare = inputs.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return (
    (bare.match(/\(/g)?.length ?? 0) !== kept.labels ||
    (bare.match(/;/g)?.length ?? 0) !== kept.parameters ||
    (values.match(/,/g)?.length ?? 0) + 1 !== kept.labels
  );
}

function signatureOf(label: string, input: InnerList, bytes: Buffer): MessageSignature | Fault {
  const [components, parameters] = input;
  if (components.length > maxComponents) {
    return { fault: `${label} covers more than ${maxComponents} components.` };
  }
  const seen = new Set<string>();
  for (const [name, each] of components) {
    if (typeof name !== 'string') return { fault: `${label} has a component that is no string.` };
    const id = JSON.stringify([name, [...each].map(String).sort()]);
    if (seen.has(id)) return { fault: `${label} covers ${name} twice.` };
    seen.add(id);
  }
  const fault = parameterFault(parameters);
  if (fault !== undefined) return { fault: `${label}: ${fault}` };
  return { label, input, bytes, ...Object.fromEntries(parameters) };
}

function parameterFault(parameters: Parameters): string | undefined {
  for (const name of numbers) {
    const value = parameters.get(name);
    if (value !== undefined && !Number.isSafeInteger(value))
      return `${name} is no integer of Unix seconds.`;
  }
  for (const name of texts) {
    const value = parameters.get(name);
    if (value !== undefined && typeof value !== 'string') return `${name} is no string.`;
  }
  for (const name of parameters.keys()) {
    if (![...numbers, ...texts].includes(name as (typeof numbers)[number])) {
      return `The parameter ${name} is unknown (RFC 9421 section 2.3).`;
    }
  }
  return undefined;
}
