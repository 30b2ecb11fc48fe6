import { lazily } from '../../base/lazily.js';

/** Only callers with JWTs need it; most services never see one, and it takes longer to load than many areas. */
export const jose = lazily(() => import('jose'));
