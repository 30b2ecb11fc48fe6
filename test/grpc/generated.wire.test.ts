/** The generated files are as `npm run generate` makes them. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { generate, generatedFolder } from '../../scripts/generate.js';
import { testsWith } from '../support/foreign-program.js';

const { test } = testsWith('grpc');

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('_pb.'),
  );

test('the generated files are current', () => {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-generated-'));
  try {
    generate(folder);
    expect(filesIn(folder).sort()).toEqual(filesIn(generatedFolder).sort());
    for (const name of filesIn(folder)) {
      const made = readFileSync(join(folder, name), 'utf8');
      expect(made).toBe(readFileSync(join(generatedFolder, name), 'utf8'));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
