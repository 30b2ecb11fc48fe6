/** Loaded into a program with `--import`: asked by SIGUSR2, it prints what it holds once its garbage is collected. */

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  console.log(`memory ${JSON.stringify({ held: heapUsed + external, resident: rss })}`);
});
