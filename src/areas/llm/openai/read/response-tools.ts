/** Tools of a request for a response: in its list, and in items of its input. */

import { array, byMember, object, record } from '#kit/input/fields/parts.js';
import { mapped, nullable, optional, type Reader, type ValueOf } from '#kit/input/fields/reader.js';
import { anything, boolean, choice, text } from '#kit/input/fields/values.js';
import { toolName } from './common.js';
import { callerSchema } from './schemas.js';
import { type GivenFunction, maxTools } from './tools.js';

const functionTool = object({
  type: anything,
  name: toolName,
  description: nullable(text()),
  parameters: nullable(callerSchema),
  strict: nullable(boolean),
  output_schema: nullable(record),
  defer_loading: optional(boolean),
  allowed_callers: nullable(array(choice(['direct']), { min: 1, max: 1 })),
});

/** A tool that the model knows, and does not call by itself. */
export interface Uncalled {
  readonly uncalled: true;
}

const uncalled = <Value>(read: Reader<Value>) => mapped(read, (): Uncalled => ({ uncalled: true }));

/** Its input is a text, which a grammar may describe. */
const customTool = uncalled(
  object({
    type: anything,
    name: toolName,
    description: optional(text()),
    format: optional(record),
    defer_loading: optional(boolean),
  }),
);

const namespaceTool = object({
  type: anything,
  name: toolName,
  description: optional(text()),
  tools: array(byMember('type', { function: functionTool, custom: customTool }), {
    min: 1,
    max: maxTools,
  }),
});

/** The model runs nothing: no shell, and no search. */
const localShell = uncalled(object({ type: anything }));
const webSearch = uncalled(
  object({
    type: anything,
    filters: nullable(record),
    user_location: nullable(record),
    search_context_size: optional(choice(['low', 'medium', 'high'])),
    // Codex sends them.
    external_web_access: optional(boolean),
    index_gated_web_access: optional(boolean),
    search_content_types: optional(array(text(), { max: 20 })),
  }),
);

const toolSearch = uncalled(
  object({
    type: anything,
    execution: optional(choice(['server', 'client'])),
    description: nullable(text()),
    parameters: nullable(record),
  }),
);

const tool = byMember('type', {
  function: functionTool,
  namespace: namespaceTool,
  custom: customTool,
  local_shell: localShell,
  web_search: webSearch,
  tool_search: toolSearch,
});

export const responseTools = array(tool, { max: maxTools });

/** Tools, with the path of their list. */
export interface ToolList {
  readonly path: string;
  readonly tools: ValueOf<typeof responseTools>;
}

type ResponseFunction = GivenFunction & { readonly path: string };

/** Returns the functions that the model may call, with those inside namespaces. */
export function functionsOf({ path: list, tools }: ToolList): readonly ResponseFunction[] {
  return tools.flatMap((each, index) => {
    const path = `${list}[${index}]`;
    if ('uncalled' in each) return [];
    if (!('tools' in each)) return { ...each, path: `${path}.parameters` };
    return each.tools.flatMap((inner, index) =>
      'uncalled' in inner
        ? []
        : { ...inner, namespace: each.name, path: `${path}.tools[${index}].parameters` },
    );
  });
}
