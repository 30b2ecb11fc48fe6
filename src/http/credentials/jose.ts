import { lazily } from '#base/lazily.js';

/** Loaded on first use: most services never see a JWT, and it loads slower than many areas. */
export const jose = lazily(() => import('jose'));
