/** Prompts, and suggestions for their arguments. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { collectionNames } from '#data/records.js';
import type { Sandbox } from '#state/state.js';
import { invalidParams } from '../messages/rpc-error.js';
import { ask, form } from '../model/ask.js';
import type { Call } from '../model/call.js';
import { image, text } from '../model/content.js';
import { hasExtra } from '../model/lists.js';

interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly required: boolean;
  /** Values that completion suggests. */
  readonly values?: readonly string[];
}

export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly arguments?: readonly PromptArgument[];
  readonly get: (args: Readonly<Record<string, string>>, call: Call) => readonly JsonObject[];
}

const user = (content: JsonObject): JsonObject => ({ role: 'user', content });

/** All but the prompt that comes and goes. */
export const permanentPrompts: readonly Prompt[] = [
  {
    name: 'describe_collection',
    title: 'Describe a collection',
    description: 'Requests a description of a collection of records.',
    arguments: [
      {
        name: 'collection',
        title: 'Collection',
        description: 'The name of the collection.',
        required: true,
        values: collectionNames,
      },
      {
        name: 'style',
        description: 'The style of the description.',
        required: false,
        values: ['brief', 'detailed', 'funny'],
      },
    ],
    get: ({ collection, style = 'brief' }) => [
      user(
        text(`Describe the collection ${collection} in a ${style} style. List its records first.`),
      ),
      { role: 'assistant', content: text('I call the tool list_records.') },
    ],
  },
  {
    name: 'test_simple_prompt',
    description: 'Has no arguments.',
    get: () => [user(text('This is a simple prompt for testing.'))],
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Has two arguments.',
    arguments: [
      {
        name: 'arg1',
        description: 'The first argument.',
        required: true,
        values: ['paris', 'park', 'party', 'hello'],
      },
      { name: 'arg2', description: 'The second argument.', required: true, values: ['world'] },
    ],
    get: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Embeds a resource.',
    arguments: [{ name: 'resourceUri', description: 'Its URI.', required: true }],
    get: ({ resourceUri: uri }) => [
      user({
        type: 'resource',
        resource: {
          uri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      }),
      user(text('Please process the embedded resource above.')),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'Has an image.',
    get: () => [user(image), user(text('Please analyze the image above.'))],
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Asks the user for a context.',
    get(_args, call) {
      const { user_context } = ask(call, {
        user_context: form('What context should the prompt use?', { context: { type: 'string' } }),
      });
      const { content } = user_context;
      return [user(text(`The context is ${isObject(content) ? content.context : 'unknown'}.`))];
    },
  },
];

/** Comes and goes with test_trigger_prompt_change. */
const extra: Prompt = {
  name: 'extra_prompt',
  description: 'Is in the list only at times.',
  get: () => [user(text('The extra prompt is in the list now.'))],
};

export async function promptsIn(sandbox: Sandbox): Promise<readonly Prompt[]> {
  return (await hasExtra(sandbox, 'prompts')) ? [...permanentPrompts, extra] : permanentPrompts;
}

export function definitionOf({ get: _get, arguments: given, ...prompt }: Prompt): JsonObject {
  const shown = given?.map(({ values: _values, ...argument }) => argument);
  return { ...prompt, ...(shown && { arguments: shown }) };
}

export async function findPrompt({ sandbox }: Call, name: unknown): Promise<Prompt> {
  const found = (await promptsIn(sandbox)).find((prompt) => prompt.name === name);
  if (found === undefined) throw invalidParams(`Unknown prompt: ${name}`);
  return found;
}

export async function getPrompt(call: Call): Promise<JsonObject> {
  const { name, arguments: given = {} } = call.params;
  const prompt = await findPrompt(call, name);
  if (!isObject(given)) throw invalidParams('arguments must be an object.');
  const wrong = Object.keys(given).find((key) => typeof given[key] !== 'string');
  if (wrong !== undefined) throw invalidParams(`The argument ${wrong} must be a string.`);
  const missing = (prompt.arguments ?? []).filter(
    (argument) => argument.required && given[argument.name] === undefined,
  );
  if (missing.length > 0) {
    throw invalidParams(`Missing arguments: ${missing.map((each) => each.name).join(', ')}`);
  }
  const messages = prompt.get(given as Readonly<Record<string, string>>, call);
  return { description: prompt.description, messages };
}
