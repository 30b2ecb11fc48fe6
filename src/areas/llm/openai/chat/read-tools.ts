/** Tools and their choice, in a request for a chat completion. */

import { array, byMember, object } from '#kit/input/fields/parts.js';
import { mapped, nullable, optional, titled } from '#kit/input/fields/reader.js';
import { anything, boolean, choice, text } from '#kit/input/fields/values.js';
import { toolName } from '../read/common.js';
import { callerSchema } from '../read/schemas.js';
import { choiceOrObject, type GivenChoice, type GivenFunction, maxTools } from '../read/tools.js';

const functionTool = object({
  type: anything,
  function: object({
    name: toolName,
    description: optional(text()),
    parameters: nullable(callerSchema),
    strict: nullable(boolean),
  }),
});

export const tool = titled(
  'LlmChatTool',
  byMember('type', {
    function: mapped(functionTool, (given): GivenFunction => given.function),
  }),
);

const namedFunction = object({ type: anything, function: object({ name: toolName }) });

const allowedTools = object({
  type: anything,
  allowed_tools: object({
    mode: choice(['auto', 'required']),
    tools: array(namedFunction, { min: 1, max: maxTools }),
  }),
});

const chosenTools = byMember('type', {
  function: mapped(
    namedFunction,
    (given, { path }): GivenChoice => ({ name: given.function.name, path }),
  ),
  allowed_tools: mapped(
    allowedTools,
    ({ allowed_tools: { mode, tools } }, { path }): GivenChoice => {
      const names = tools.map((each) => each.function.name);
      return { mode, names, path };
    },
  ),
});

export const toolChoice = choiceOrObject(chosenTools);
