import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['src/areas/**/*.test.ts'] } });
