import { testSandbox } from 'practice-api';
import { GenericContainer, Wait } from 'testcontainers';

/** Starts Practice API in a container; the result creates a sandbox for each test, and stops the container. */
export async function startPracticeApi() {
  const container = await new GenericContainer('practice-api')
    .withExposedPorts(3000)
    .withWaitStrategy(Wait.forHttp('/health/ready', 3000))
    .start();
  const url = `http://${container.getHost()}:${container.getMappedPort(3000)}`;
  return { url, sandbox: () => testSandbox(url), stop: () => container.stop() };
}
