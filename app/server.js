import { defineProduct } from '@ostiary/server';
import * as config from '../app.config.js';
import { api } from './server/api.js';
import { metrics } from './server/code-host/measures.js';
import { scenarios } from './server/code-host/scenarios.js';
import { settings } from './server/settings.js';
/** Read by every command, test, build and worker. Starts nothing. */
export default defineProduct({
    config,
    settings,
    api,
    metrics,
    policy: { img: ['https://avatars.githubusercontent.com'] },
    demoSwitches: { github: scenarios },
});
