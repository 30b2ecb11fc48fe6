/** Encodes and decodes messages, in binary form and in JSON. */

import {
  createRegistry,
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
  toJsonString,
} from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { bodyText } from '#http/body/request-body.js';
import { JsonSyntaxError, parseJson } from '#http/json/parse-json.js';
import { file_google_rpc_error_details } from '../generated/google/rpc/error_details_pb.js';
import type { Form } from './forms.js';
import { RpcError } from './rpc-error.js';

/** Values of a message; its parser needs a microsecond for each. */
export const maxMessageValues = 100_000;

/** Fewer bytes cannot have too many values. */
const uncheckedBytes = 2 * maxMessageValues;

export const maxJsonMessageBytes = 512 * 1024;

/** Types that `Any` may have in JSON. */
const registry = createRegistry(file_google_rpc_error_details);

export function decode(desc: DescMessage, bytes: Buffer, codec: Form['codec']): Message {
  if (codec === 'json') return decodeJson(desc, bytes);
  if (bytes.length > uncheckedBytes) checkValues(desc, bytes);
  try {
    return fromBinary(desc, bytes);
  } catch {
    throw new RpcError('INTERNAL', `The message is not a valid ${desc.typeName}.`);
  }
}

function decodeJson(desc: DescMessage, bytes: Buffer): Message {
  if (bytes.length > maxJsonMessageBytes) {
    throw new RpcError(
      'RESOURCE_EXHAUSTED',
      `The message in JSON has ${bytes.length} bytes; the limit is ${maxJsonMessageBytes}.`,
    );
  }
  try {
    const json = bytes.length === 0 ? {} : parseJson(bodyText(bytes), maxMessageValues / 10);
    return fromJson(desc, json as JsonValue, { registry, ignoreUnknownFields: true });
  } catch (error) {
    const isText = error instanceof JsonSyntaxError;
    const why = isText ? error.message : `The JSON is not a valid ${desc.typeName}.`;
    throw new RpcError('INVALID_ARGUMENT', why);
  }
}

export function encode(desc: DescMessage, message: Message, codec: Form['codec']): Uint8Array {
  return codec === 'json'
    ? Buffer.from(toJsonString(desc, message, { registry }))
    : toBinary(desc, message);
}

/** Returns a message as JSON for judges; an empty object for details of unknown types. */
export function asJson(desc: DescMessage, message: Message): JsonValue {
  try {
    return toJson(desc, message, { registry });
  } catch {
    return {};
  }
}

/** Counts the values of a message, also of messages inside. Throws if there are too many. */
function checkValues(desc: DescMessage, bytes: Buffer): void {
  const fields = new Map<DescMessage, ReadonlyMap<number, DescField>>();
  const fieldsOf = (of: DescMessage) => {
    const known = fields.get(of) ?? new Map(of.fields.map((field) => [field.number, field]));
    fields.set(of, known);
    return known;
  };
  const waiting: (readonly [DescMessage, Uint8Array])[] = [[desc, bytes]];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [of, part] = next;
    const known = fieldsOf(of);
    const reader = new BinaryReader(part);
    while (reader.pos < reader.len) {
      if (++count > maxMessageValues) throw tooManyValues();
      const [number, wireType] = tagOf(reader, of);
      const field = known.get(number);
      if (wireType !== WireType.LengthDelimited || field === undefined) {
        skip(reader, wireType, of);
        continue;
      }
      const inside = bytesOf(reader, of);
      if (field.message !== undefined) waiting.push([field.message, inside]);
      else if (field.fieldKind === 'list' && field.scalar !== 9 && field.scalar !== 12) {
        // Packed numbers have at least a byte each.
        count += inside.length;
        if (count > maxMessageValues) throw tooManyValues();
      }
    }
  }
}

const orMalformed = <Result>(of: DescMessage, read: () => Result): Result => {
  try {
    return read();
  } catch {
    throw new RpcError('INTERNAL', `The message is not a valid ${of.typeName}.`);
  }
};

const tagOf = (reader: BinaryReader, of: DescMessage) => orMalformed(of, () => reader.tag());
const bytesOf = (reader: BinaryReader, of: DescMessage) => orMalformed(of, () => reader.bytes());
const skip = (reader: BinaryReader, type: WireType, of: DescMessage) =>
  orMalformed(of, () => reader.skip(type));

const tooManyValues = () =>
  new RpcError('RESOURCE_EXHAUSTED', `The message has more than ${maxMessageValues} values.`);
