/** Streams of a session that a client resumes by `Last-Event-ID`. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { messagesIn, openSession } from './mcp.js';

const service = useService();

test('each stream is resumed, also after the last message of an earlier one', async () => {
  const path = '/s/resuming/mcp';
  const session = await openSession(service, '2025-11-25', { path });
  for (let index = 0; index < 3; index += 1) {
    const { text } = await session.request('tools/call', { name: 'test_reconnection' });
    const [, id = ''] = /^id: (.+)$/m.exec(text) ?? [];
    const resumed = await service.send(`GET ${path}`, {
      headers: { ...session.headers, accept: 'text/event-stream', 'last-event-id': id },
    });
    const [message] = messagesIn(resumed.text);
    expect(message.result.content[0].text).toContain('after the stream was resumed');
  }
});
