/** Tools of a request, and which of them the model must call. */

import { isObject, type JsonObject } from '../../../../base/json-object.js';
import { admitSchemas } from '../../../../json-schema/admit-schemas.js';
import type { ToolChoice, ToolSpec } from '../../messages/conversation.js';
import {
  anyObject,
  fieldOf,
  type Kind,
  list,
  nullable,
  oneOf,
  optional,
  type Part,
  pathTo,
  readPart,
  reject,
  required,
  text,
  truth,
} from '../fields.js';
import { readCacheControl } from './media.js';

const toolFields = [
  'type',
  'name',
  'description',
  'input_schema',
  'cache_control',
  'strict',
  'allowed_callers',
  'defer_loading',
  'eager_input_streaming',
  'input_examples',
] as const;

const toolName: Kind<string> = {
  expected: '1 to 64 letters, digits, _ or -',
  accepts: (value): value is string => typeof value === 'string' && /^[\w-]{1,64}$/.test(value),
};

export function readTools(body: Part): readonly ToolSpec[] {
  const tools = (optional(body, 'tools', list) ?? []).map((value, index) =>
    readTool(value, `tools.${index}`),
  );
  const names = new Set<string>();
  for (const [index, { name }] of tools.entries()) {
    if (names.has(name)) reject(`tools.${index}.name`, 'Another tool has the same name.');
    names.add(name);
  }
  admit(
    'tools',
    tools.map(({ schema }, index) => [`tools.${index}.input_schema`, schema]),
  );
  return tools;
}

function readTool(value: unknown, path: string): ToolSpec {
  if (!isObject(value)) reject(path, 'This must be an object.');
  const type = fieldOf({ object: value, path }, 'type');
  if (type !== undefined && type !== 'custom') {
    reject(pathTo(path, 'type'), 'Server tools are not supported; use "custom".');
  }
  const part = readPart(value, path, toolFields);
  readCacheControl(fieldOf(part, 'cache_control'), pathTo(path, 'cache_control'));
  for (const name of ['strict', 'defer_loading', 'eager_input_streaming']) {
    nullable(part, name, truth);
  }
  for (const name of ['allowed_callers', 'input_examples']) nullable(part, name, list);
  const name = required(part, 'name', toolName);
  const description = optional(part, 'description', text) ?? '';
  const schema = plainSchema(required(part, 'input_schema', anyObject));
  if (!Object.hasOwn(schema, 'type') || schema.type !== 'object') {
    reject(`${path}.input_schema.type`, 'This field is required; it must be "object".');
  }
  return { name, description, schema };
}

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
  const [fault] = admitSchemas(Object.fromEntries(schemas));
  if (fault === undefined) return;
  const [first, ...rest] = fault.path;
  if (first === undefined) reject(field, `The schemas ${fault.what}.`);
  reject(rest.reduce<string>(pathTo, String(first)), `This ${fault.what}.`);
}

export function readToolChoice(body: Part, tools: readonly ToolSpec[]): ToolChoice {
  const value = fieldOf(body, 'tool_choice');
  if (value === undefined) return 'auto';
  const path = 'tool_choice';
  if (!isObject(value)) reject(path, 'This must be an object.');
  const type = required({ object: value, path }, 'type', oneOf(['auto', 'any', 'tool', 'none']));
  const part = readPart(value, path, fieldsOfChoice(type));
  optional(part, 'disable_parallel_tool_use', truth);
  if (type === 'none') return 'none';
  if (tools.length === 0) reject(path, 'This field requires tools.');
  if (type !== 'tool') return type === 'any' ? 'required' : 'auto';
  const name = required(part, 'name', text);
  if (tools.every((tool) => tool.name !== name)) {
    reject('tool_choice.name', 'No tool has this name; use a name from tools.');
  }
  return { name };
}

function fieldsOfChoice(type: string): readonly string[] {
  if (type === 'none') return ['type'];
  const common = ['type', 'disable_parallel_tool_use'];
  return type === 'tool' ? [...common, 'name'] : common;
}
