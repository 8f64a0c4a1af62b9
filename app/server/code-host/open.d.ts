import type { ApiTools } from '@ostiary/server';
import type { CodeHost } from './client.ts';
/** In demo mode with an invented list while GitHub is unavailable, and as the demo's switch says. */
export declare function openCodeHost({ settings, demo, now, log, metrics, tracing }: ApiTools): CodeHost;
