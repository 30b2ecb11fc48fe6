/** The verdicts on the newest signed requests of a sandbox. */

import { cite } from '#kit/verdict/citations.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { type Judge, mergeVerdicts } from '#kit/verdict/judge.js';
import type { Verdict } from '#kit/verdict/verdict.js';
import { type Sandbox, type Space, sharedSandboxName } from '#state/state.js';
import { path } from './path.js';

const verdictsSpace: Space<readonly Verdict[]> = { name: 'signature-verdicts', maxKeys: 1 };
const key = 'newest';
const maxStored = 20;

/** The shared sandbox has none, because all its clients would be one. */
export async function keepVerdict(sandbox: Sandbox, verdict: Verdict): Promise<void> {
  if (sandbox.name === sharedSandboxName) return;
  await ignoringOutages(() =>
    sandbox.update(verdictsSpace, key, (before = []) => ({
      value: [...before, verdict].slice(-maxStored),
      result: undefined,
    })),
  );
}

export const signatureJudge: Judge = {
  name: 'signatures',
  title: 'Message signatures',
  says: `The newest ${maxStored} requests to ${path}, signed or not.`,
  guide: 'auth/signature',
  rules: [
    {
      rule: 'signature',
      level: 'must',
      section: cite('RFC 9421', '3.2'),
      hint: 'Sign the signature base, line by line, with the key that keyid names.',
    },
  ],
  read: async (sandbox) => ({
    verdicts: mergeVerdicts((await sandbox.read(verdictsSpace, key)) ?? []),
  }),
  async clear(sandbox) {
    await sandbox.update(verdictsSpace, key, () => ({ value: undefined, result: undefined }));
  },
};
