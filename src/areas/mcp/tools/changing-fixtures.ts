/** Tools that change the lists of tools, prompts and resources. */

import { noteListChange, toggleExtra } from '../model/lists.js';
import { argumentsOf, type Tool, textResult } from './tool.js';

const fixture = { inputSchema: argumentsOf(), isWriting: true } as const;

export const changingFixtures: readonly Tool[] = [
  {
    ...fixture,
    name: 'test_trigger_tool_change',
    description: 'Adds a tool to the list, or removes it again.',
    async run(_args, { sandbox }) {
      await toggleExtra(sandbox, 'tools');
      return textResult('The list of tools has changed.');
    },
  },
  {
    ...fixture,
    name: 'test_trigger_prompt_change',
    description: 'Adds a prompt to the list, or removes it again.',
    async run(_args, { sandbox }) {
      await toggleExtra(sandbox, 'prompts');
      return textResult('The list of prompts has changed.');
    },
  },
  {
    ...fixture,
    name: 'touch_watched_resource',
    title: 'Update the watched resource',
    description: 'Notifies subscribers of test://watched-resource.',
    async run(_args, { sandbox }) {
      await noteListChange(sandbox, { kind: 'resource', uri: 'test://watched-resource' });
      return textResult('Subscribers of test://watched-resource get a notification.');
    },
  },
];
