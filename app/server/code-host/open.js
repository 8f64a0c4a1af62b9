import { createCodeHost } from './client.js';
import { withSampleRepositories } from './sample-repositories.js';
import { withScenarios } from './scenarios.js';
/** In demo mode with an invented list while GitHub is unavailable, and as the demo's switch says. */
export function openCodeHost({ settings, demo, now, log, metrics, tracing }) {
    const { CODE_HOST_URL: base, GITHUB_TOKEN: token, DASHBOARD_USER: dashboardUser } = settings;
    const parts = { base, token, dashboardUser, now, log, metrics, tracing };
    const codeHost = createCodeHost(parts);
    if (!demo)
        return codeHost;
    const create = (answer) => createCodeHost({ ...parts, fetch: answer });
    return withScenarios(withSampleRepositories(codeHost, dashboardUser), create, () => demo.value('github'));
}
