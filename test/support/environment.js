const path = require('node:path');

// n8n's engine keeps its settings in the user's home unless told otherwise, and logs every failure.
process.env.N8N_USER_FOLDER = path.join(__dirname, '..', '..', '.cache', 'engine');
process.env.N8N_LOG_LEVEL = 'silent';
