import { setTimeout as delay } from 'node:timers/promises';
import { sampleRepositories } from './sample-repositories.js';
/** A switch of the demo. */
export const scenarios = {
    title: 'GitHub',
    hint: 'The repositories on the dashboard.',
    values: ['live', 'sample', 'empty', '100 repositories', 'slow', 'status 500', 'rate limited'],
};
/** GitHub, as the demo's switch says. */
export function withScenarios(live, create, scenario) {
    return {
        ...live,
        async listUserRepositories(username, userId) {
            const chosen = scenario();
            if (chosen === 'live')
                return await live.listUserRepositories(username, userId);
            if (chosen === 'sample')
                return { data: sampleRepositories(username), source: 'sample', age: 0 };
            // A separate client, because the real one would keep the list.
            return await create(() => answerOf(chosen, username)).listUserRepositories(username);
        },
    };
}
const SLOW_MS = 3_000;
async function answerOf(scenario, login) {
    switch (scenario) {
        case 'empty':
            return Response.json([]);
        case '100 repositories':
            return Response.json(manyRepositories(login));
        case 'slow':
            await delay(SLOW_MS);
            return Response.json(sampleRepositories(login));
        case 'status 500':
            return new Response('', { status: 500 });
        default:
            return new Response('', { status: 429, headers: { 'Retry-After': '60' } });
    }
}
function manyRepositories(login) {
    const some = sampleRepositories(login);
    const many = Array.from({ length: 100 / some.length + 1 }, () => some)
        .flat()
        .slice(0, 100);
    return many.map((one, index) => ({ ...one, id: index + 1, name: `sample-${index + 1}` }));
}
