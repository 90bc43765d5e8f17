import { join } from 'node:path';

// As EngineEnvironment.js does it.
process.env.N8N_USER_FOLDER = join(__dirname, '..', '..', '.cache', 'engine');
process.env.N8N_LOG_LEVEL = 'silent';

// n8n reads them when its HTTP client is first asked for. Its guard, which is off unless it is set,
// keeps calls out of certain networks and hosts (n8n 2.40.3): here, of this machine by its name.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
process.env.N8N_SSRF_BLOCKED_HOSTNAMES = 'localhost';
process.env.N8N_SSRF_ALLOWED_IP_RANGES = '127.0.0.1/32';
