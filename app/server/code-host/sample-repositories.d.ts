import type { CodeHost } from './client.ts';
import type { Repository } from './types.ts';
/** An invented list without GitHub and a copy, so that the demo works offline. The response says so. */
export declare function withSampleRepositories(codeHost: CodeHost, dashboardUser: string): CodeHost;
export declare function sampleRepositories(login: string): Repository[];
