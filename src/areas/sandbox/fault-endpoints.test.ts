import { expect, test } from 'vitest';
import { configFrom } from '#config/config.js';
import { settings } from '#service.js';
import { createMemoryState } from '#state/memory/memory-state.js';
import { servicesOver } from '../../../test/support/services.js';
import { faultPlanner } from './fault-endpoints.js';

const state = createMemoryState({ clock: () => 0 });
const { runtime } = await servicesOver(state, configFrom(settings, {}));

const plan = (bodyBase64: string) =>
  faultPlanner(runtime)(state.sandbox('planned'), {
    rules: [{ sequence: [{ status: 503, bodyBase64 }] }],
  });

test('a plan that needs too many checks is 400, not accepted', async () => {
  await expect(plan('A'.repeat(4_000))).resolves.toMatchObject({ rules: [{ name: 'rule-1' }] });
  await expect(plan('A'.repeat(4_000_000))).rejects.toMatchObject({
    status: 400,
    message: 'The plan needs too many checks.',
  });
});
