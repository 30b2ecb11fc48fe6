/** The judge of senders of webhooks: what bins have received with a signature. */

import { cite } from '#kit/verdict/citations.js';
import type { DeliveryVerdict } from '#kit/verdict/delivery-verdict.js';
import { type Rule, recordObservations } from '#kit/verdict/findings.js';
import { judgeByFindings } from '#kit/verdict/findings-judge.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { type Sandbox, sharedSandboxName } from '#state/state.js';

const name = 'deliveries';

const headers: Rule = {
  name: 'signature-header',
  level: 'must',
  section: cite('Standard Webhooks 1.0', 'Webhook headers (sending metadata to consumers)'),
  right: 'Send the headers of the provider in its own form.',
};

const signature: Rule = {
  name: 'signature-verifies',
  level: 'must',
  section: cite('Standard Webhooks 1.0', 'Verifying signatures'),
  right: 'Sign the raw bytes of the body and the current time, with the shared secret.',
};

export const deliveriesJudge = judgeByFindings({
  name,
  title: 'Webhook deliveries',
  says: 'Requests to bins that have the signature of a known provider.',
  guide: 'webhooks',
  rules: [headers, signature],
});

/** A sender may rightly have another secret, or another clock. */
const decidedBy =
  'A delivery with the secret of GET /api/webhooks/samples, by the clock of the sandbox.';

/** Records what a delivery shows. An outage changes no response. */
export async function recordDelivery(
  { provider, verified, part, message }: DeliveryVerdict,
  sandbox: Sandbox,
  requestId: string,
): Promise<void> {
  if (sandbox.name === sharedSandboxName) return;
  const sent = `${provider}: ${message}`;
  const observations =
    part === 'header'
      ? [{ rule: headers, sent }]
      : [{ rule: headers }, { rule: signature, ...(!verified && { sent, decidedBy }) }];
  await ignoringOutages(() => recordObservations(sandbox, name, requestId, observations));
}
