import { join } from 'node:path';

// The same folder as in EngineEnvironment.js.
process.env.N8N_USER_FOLDER = join(__dirname, '..', '..', '.cache', 'engine');
process.env.N8N_LOG_LEVEL = 'silent';

// n8n 2.41.1 can block networks and hosts, and reads these settings when its HTTP client is first
// used. Here it blocks this machine by its name.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
process.env.N8N_SSRF_BLOCKED_HOSTNAMES = 'localhost';
process.env.N8N_SSRF_ALLOWED_IP_RANGES = '127.0.0.1/32';
