/** What the front page shows of this area. */

import type { Example } from '../../kit/example.js';

export function binExamples(): readonly Example[] {
  return [
    {
      title: 'Create an address that captures what is sent to it',
      method: 'POST',
      path: '/api/webhooks/bins',
      json: { name: 'Order hooks' },
      answer: { status: 201, has: '"inspectUrl"' },
    },
  ];
}
