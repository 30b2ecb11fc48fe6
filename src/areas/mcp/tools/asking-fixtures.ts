/** Tools that the conformance suite of the protocol calls: requests for input. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { codes, RpcError } from '../messages/rpc-error.js';
import {
  ask,
  form,
  type InputRequest,
  isDeclared,
  listRoots,
  requireCapabilities,
  sample,
  textOf,
} from '../model/ask.js';
import type { Call } from '../model/call.js';
import { argumentsOf, readOnly, type Tool, textResult } from './tool.js';

const string = { type: 'string' };
const fixture = { inputSchema: argumentsOf(), annotations: readOnly } as const;
const nameForm = form('What is your name?', { name: string });

const contentOf = ({ content }: JsonObject): JsonObject => (isObject(content) ? content : {});

const completed = ({ action, content }: JsonObject) =>
  textResult(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);

const defaultsForm = form(
  'Review these values.',
  {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  [],
);

const titled = (name: string) =>
  ['First', 'Second', 'Third'].map((which, index) => ({
    const: `value${index + 1}`,
    title: `${which} ${name}`,
  }));

const options = ['option1', 'option2', 'option3'];

const enumsForm = form(
  'Choose values.',
  {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
  [],
);

const confirmForm = form('Please confirm', { ok: { type: 'boolean' } });

function checkState({ state }: Call, expected: string): void {
  if (state !== expected) {
    throw new RpcError(codes.invalidParams, 'requestState is missing or of another request.');
  }
}

/** Tools with one round of input. */
const inOneRound: readonly Tool[] = [
  {
    ...fixture,
    name: 'test_sampling',
    description: "Returns the response of the client's model to a prompt.",
    inputSchema: argumentsOf({ prompt: string }),
    run({ prompt }, call) {
      const { reply } = ask(call, { reply: sample(String(prompt), 100) });
      return textResult(`LLM response: ${textOf(reply)}`);
    },
  },
  {
    ...fixture,
    name: 'test_elicitation',
    description: 'Asks the user for a name and an e-mail address.',
    inputSchema: argumentsOf({ message: string }),
    run({ message }, call) {
      const { user } = ask(call, {
        user: form(String(message), {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        }),
      });
      const content = JSON.stringify(user.content ?? {});
      return textResult(`User response: action: ${user.action}, content: ${content}`);
    },
  },
  {
    ...fixture,
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a form that has defaults.',
    run: (_args, call) => completed(ask(call, { values: defaultsForm }).values),
  },
  {
    ...fixture,
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks with a form that has every kind of choice.',
    run: (_args, call) => completed(ask(call, { values: enumsForm }).values),
  },
  {
    ...fixture,
    name: 'test_input_required_result_elicitation',
    description: 'Asks the user for a name.',
    run(_args, call) {
      const { user_name } = ask(call, { user_name: nameForm });
      return textResult(`Hello, ${contentOf(user_name).name ?? 'stranger'}!`);
    },
  },
  {
    ...fixture,
    name: 'test_streaming_elicitation',
    description: 'Asks the user for a name.',
    run(_args, call) {
      ask(call, { user_name: nameForm });
      return textResult('The user has responded.');
    },
  },
  {
    ...fixture,
    name: 'test_input_required_result_sampling',
    description: "Asks the client's model for the capital of France.",
    run(_args, call) {
      const capital_question = sample('What is the capital of France?', 100);
      return textResult(textOf(ask(call, { capital_question }).capital_question));
    },
  },
  {
    ...fixture,
    name: 'test_input_required_result_list_roots',
    description: 'Asks the client for its roots.',
    run(_args, call) {
      const { client_roots } = ask(call, { client_roots: listRoots });
      return textResult(`The roots are ${JSON.stringify(client_roots.roots)}.`);
    },
  },
  {
    ...fixture,
    name: 'test_missing_capability',
    description: 'Needs the capability sampling.',
    run(_args, call) {
      requireCapabilities(call, { sampling: sample('', 1) });
      return textResult('The client has declared sampling.');
    },
  },
];

const stateful: readonly Tool[] = [
  {
    ...fixture,
    name: 'test_input_required_result_request_state',
    description: 'Requests a confirmation, and keeps its state with the client.',
    run(_args, call) {
      ask(call, { confirm: confirmForm }, 'confirm');
      checkState(call, 'confirm');
      return textResult('state-ok');
    },
  },
  {
    ...fixture,
    name: 'test_input_required_result_tampered_state',
    description: 'Rejects a changed state.',
    run(_args, call) {
      ask(call, { confirm: confirmForm }, 'tampered');
      checkState(call, 'tampered');
      return textResult('The state is unchanged.');
    },
  },
  {
    ...fixture,
    name: 'test_input_required_result_multiple_inputs',
    description: 'Requests a name, a greeting and the roots at once.',
    run(_args, call) {
      const { user_name, greeting, client_roots } = ask(
        call,
        {
          user_name: nameForm,
          greeting: sample('Generate a greeting', 50),
          client_roots: listRoots,
        },
        'multiple',
      );
      checkState(call, 'multiple');
      const roots = (client_roots.roots as readonly unknown[]).length;
      const { name } = contentOf(user_name);
      return textResult(`${textOf(greeting)} ${name}: ${roots} roots.`);
    },
  },
  {
    ...fixture,
    name: 'test_input_required_result_multi_round',
    description: 'Requests a name and then for a color.',
    run(_args, call) {
      const { state } = call;
      return isObject(state) && 'name' in state ? askColor(call, state.name) : askName(call);
    },
  },
  {
    ...fixture,
    name: 'test_input_required_result_capabilities',
    description: 'Requests only input that the client supports.',
    run(_args, call) {
      const all: Readonly<Record<string, InputRequest>> = {
        user_name: nameForm,
        greeting: sample('Generate a greeting', 50),
        client_roots: listRoots,
      };
      const declared = Object.entries(all).filter(([, request]) => isDeclared(call, request));
      const responses = ask(call, Object.fromEntries(declared));
      return textResult(`Got ${Object.keys(responses).join(', ') || 'no input'}.`);
    },
  },
];

function askName(call: Call): JsonObject {
  const { step1 } = ask(call, { step1: form('Step 1: What is your name?', { name: string }) }, {});
  return askColor(call, contentOf(step1).name);
}

function askColor(call: Call, name: unknown): JsonObject {
  const { step2 } = ask(
    call,
    { step2: form('Step 2: What is your favorite color?', { color: string }) },
    { name: name ?? null },
  );
  return textResult(`${name} likes ${contentOf(step2).color}.`);
}

export const askingFixtures: readonly Tool[] = [...inOneRound, ...stateful];
