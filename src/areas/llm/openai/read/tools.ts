/** Tools and their choice, in the format of both endpoints. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { either, type Reader } from '#kit/input/fields/reader.js';
import { choice } from '#kit/input/fields/values.js';
import type { ToolChoice, ToolSpec } from '../../messages/conversation.js';
import { invalid, wrongType } from './faults.js';
import { acceptSchemas, noParameters } from './schemas.js';

export const maxTools = 128;

/** A function of a request. */
export interface GivenFunction {
  readonly name: string;
  readonly description: string | undefined;
  readonly parameters: JsonObject | undefined;
  readonly strict: boolean | undefined;
  readonly namespace?: string;
}

/** Returns the tools; `pathOf` returns the path of the parameters by the place of the tool. */
export function toolsOf(
  functions: readonly GivenFunction[],
  pathOf: (index: number) => string,
): readonly ToolSpec[] {
  const schemas = acceptSchemas(
    functions.map(({ parameters, strict }, index) => ({
      path: pathOf(index),
      schema: parameters ?? noParameters,
      isStrict: strict === true && parameters !== undefined,
    })),
    'invalid_function_parameters',
  );
  return functions.map(({ name, description = '', namespace }, index) => ({
    ...{ name, description, ...(namespace !== undefined && { namespace }) },
    schema: schemas[index] ?? noParameters,
  }));
}

/** Tools that the model may call, and whether it has to. */
export interface Chosen {
  readonly tools: readonly ToolSpec[];
  readonly toolChoice: ToolChoice;
}

export type GivenChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly name: string; readonly path: string }
  | {
      readonly mode: 'auto' | 'required';
      readonly names: readonly string[];
      readonly path: string;
    };

const mode = choice(['auto', 'none', 'required']);

/** Reads a choice by its mode, or as an object. */
export function choiceOrObject(read: Reader<GivenChoice>): Reader<GivenChoice> {
  return either<GivenChoice>([mode, read], (field) => {
    if (typeof field.value === 'string') return mode(field);
    if (!isObject(field.value)) throw wrongType(field, 'a string or an object');
    return read(field);
  });
}

export function choose(tools: readonly ToolSpec[], choice: GivenChoice | undefined): Chosen {
  if (choice === undefined || typeof choice === 'string') {
    if (choice === 'required' && tools.length === 0) {
      const message = "Invalid 'tool_choice': required needs at least one tool in 'tools'.";
      throw invalid('tool_choice', null, message);
    }
    return { tools, toolChoice: choice ?? 'auto' };
  }
  const known = new Set(tools.map(({ name }) => name));
  const names = 'name' in choice ? [choice.name] : choice.names;
  const other = names.find((name) => !known.has(name));
  if (other !== undefined) {
    const message = `Tool choice '${other}' is not in 'tools'.`;
    throw invalid(choice.path, null, message);
  }
  if ('name' in choice) return { tools, toolChoice: { name: choice.name } };
  const allowed = new Set(choice.names);
  return { tools: tools.filter(({ name }) => allowed.has(name)), toolChoice: choice.mode };
}
