import { expect, test } from 'vitest';
import type { HeldRequest } from '#http/held-requests.js';
import { CapacityError, type Sandbox, StateUnavailableError } from '#state/state.js';
import { countRunning } from './running.js';

test.each([new CapacityError('The sandbox is full.'), new StateUnavailableError()])(
  'a call that cannot be counted is no failure: $name',
  async (error) => {
    const update = () => Promise.reject(error);
    const sandbox = { update } as unknown as Sandbox;
    const heldRequest = { ended: Promise.resolve() } as HeldRequest;
    await expect(countRunning(sandbox, 'tools/call', heldRequest)).resolves.toBeUndefined();
  },
);
