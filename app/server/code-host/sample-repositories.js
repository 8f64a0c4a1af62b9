import { ProductError } from '@ostiary/server';
/** An invented list without GitHub and a copy, so that the demo works offline. The response says so. */
export function withSampleRepositories(codeHost, dashboardUser) {
    return {
        ...codeHost,
        async listUserRepositories(username, userId) {
            try {
                return await codeHost.listUserRepositories(username, userId);
            }
            catch (error) {
                if (username !== dashboardUser || !isOutage(error))
                    throw error;
                return { data: sampleRepositories(username), source: 'sample', age: 0 };
            }
        },
    };
}
function isOutage(error) {
    return error instanceof ProductError && ['code_host_unavailable', 'rate_limited'].includes(error.code);
}
export function sampleRepositories(login) {
    return samples.map(({ name, description, stargazers_count }, index) => ({
        id: index + 1,
        name,
        full_name: `${login}/${name}`,
        html_url: `https://github.com/${login}`,
        description,
        stargazers_count,
        forks_count: 0,
        open_issues_count: 0,
        owner: { login, html_url: `https://github.com/${login}` },
    }));
}
const samples = [
    {
        name: 'sample-notes',
        description: 'A sample: GitHub could not be reached, so this list is invented.',
        stargazers_count: 42,
    },
    { name: 'sample-weather', description: 'A sample with a short description.', stargazers_count: 7 },
    { name: 'sample-without-description', description: null, stargazers_count: 0 },
];
