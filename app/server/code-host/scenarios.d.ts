import type { CodeHost } from './client.ts';
/** A switch of the demo. */
export declare const scenarios: {
    title: string;
    hint: string;
    values: string[];
};
/** GitHub, as the demo's switch says. */
export declare function withScenarios(live: CodeHost, create: (answer: () => Promise<Response>) => CodeHost, scenario: () => string): CodeHost;
