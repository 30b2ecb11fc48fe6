import { expect } from 'vitest';
import type { TestService } from './service.js';

const perBatch = 100;

/** Changes the first record of a collection many hundred times. */
export async function change({ send }: TestService, path: string, count: number): Promise<void> {
  const operations = Array.from({ length: perBatch }, (_, n) => ({
    method: 'PATCH',
    id: 1,
    body: { title: `${n} ${'-'.repeat(100)}` },
  }));
  for (let done = 0; done < count; done += perBatch) {
    const { status } = await send(`POST ${path}/batch`, { json: { atomic: true, operations } });
    expect(status).toBe(200);
  }
}
