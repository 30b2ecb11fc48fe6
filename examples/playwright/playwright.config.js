import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  reporter: 'line',
  outputDir: '/tmp/practice-api-playwright',
});
