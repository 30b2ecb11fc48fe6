/** Tools of a request, and which of them the model must call. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { admitSchemas } from '#json-schema/admit-schemas.js';
import {
  array,
  byMember,
  memberOf,
  object,
  objectSchema,
  record,
} from '#kit/input/fields/parts.js';
import {
  checked,
  described,
  type Field,
  mapped,
  nullable,
  optional,
  reader,
} from '#kit/input/fields/reader.js';
import { anything, boolean, choice, text } from '#kit/input/fields/values.js';
import type { ToolChoice, ToolSpec } from '../../messages/conversation.js';
import { schemaRules } from '../../messages/schemas.js';
import { blockPath, pathTo, reject } from '../faults.js';
import { cacheControl } from './media.js';

const toolName = text({ pattern: /^[\w-]{1,64}$/, expected: '1 to 64 letters, digits, _ or -' });

const toolBody = object({
  type: nullable(choice(['custom'])),
  cache_control: cacheControl,
  strict: nullable(boolean),
  defer_loading: nullable(boolean),
  eager_input_streaming: nullable(boolean),
  allowed_callers: nullable(array(anything)),
  input_examples: nullable(array(anything)),
  name: toolName,
  description: optional(text()),
  input_schema: described(record, {
    type: 'object',
    properties: { type: { type: 'string', enum: ['object'] } },
    required: ['type'],
    additionalProperties: true,
    examples: [{ type: 'object', properties: {} }],
  }),
});

const tool = reader({ title: 'LlmTool', ...toolBody.schema }, (field): ToolSpec => {
  const { path, value } = field;
  const type = isObject(value) && Object.hasOwn(value, 'type') ? value.type : null;
  if (type !== null && type !== 'custom') {
    reject(path, 'Server tools are not supported; use "custom".');
  }
  const tagged = { ...field, path: pathTo(path, 'custom') };
  const { name, description = '', input_schema: given } = toolBody(tagged);
  const schema = plainSchema(given);
  if (!Object.hasOwn(schema, 'type') || schema.type !== 'object') {
    reject(`${path}.custom.input_schema.type`, 'This field is required; it must be "object".');
  }
  return { name, description, schema };
});

export const tools = checked(array(tool), (read) => {
  const names = new Set<string>();
  for (const { name } of read) {
    if (names.has(name)) reject('tools', 'Two tools have the same name.');
    names.add(name);
  }
  admit(
    'tools',
    read.map(({ schema }, index) => [`tools.${index}.custom.input_schema`, schema]),
  );
});

/** Omits the name of the draft, and members that are null, which mean nothing. */
export function plainSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([name, value]) => name !== '$schema' && value !== null),
  );
}

/** Rejects schemas that are not supported. Each has the path of its field. */
export function admit(
  field: string,
  schemas: readonly (readonly [path: string, schema: JsonObject])[],
): void {
  const [fault] = admitSchemas(Object.fromEntries(schemas), schemaRules);
  if (fault === undefined) return;
  const [first, ...rest] = fault.path;
  if (first === undefined) reject(field, `The schemas ${fault.what}.`);
  reject(rest.reduce<string>(pathTo, String(first)), `This ${fault.what}.`);
}

const isAlone = optional(boolean);

/** The name is read after the tools are known to be present. */
const named = { type: anything, disable_parallel_tool_use: isAlone, name: anything };
const toolOfName = text();

const ofTools = object({ type: anything, disable_parallel_tool_use: isAlone });

export const toolChoice = byMember('type', {
  auto: mapped(ofTools, (_choice, field): ToolChoice => {
    toolsBefore(field);
    return 'auto';
  }),
  any: mapped(ofTools, (_choice, field): ToolChoice => {
    toolsBefore(field);
    return 'required';
  }),
  tool: mapped(
    described(object(named), objectSchema({ ...named, name: toolOfName })),
    (_choice, field): ToolChoice => {
      const known = toolsBefore(field);
      const name = toolOfName(memberOf(field, 'name'));
      if (known.some((each) => each.name === name)) return { name };
      return reject('tool_choice.tool.name', 'No tool has this name; use a name from tools.');
    },
  ),
  none: mapped(object({ type: anything }), (): ToolChoice => 'none'),
});

/** Returns the tools of the body, which are read before. */
function toolsBefore({ path, siblings }: Field): readonly ToolSpec[] {
  const { tools: before = [] } = siblings as { readonly tools?: readonly ToolSpec[] };
  if (before.length === 0) reject(blockPath(path), 'This field requires tools.');
  return before;
}
