/** Where jobs are, below the base URL. */
export const jobsPath = '/api/jobs';
