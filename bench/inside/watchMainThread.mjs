/** Loaded into an n8n before its own code: tells over HTTP how long its main thread was busy at a time. */
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often to look, in milliseconds. */
const RESOLUTION = 5;

// The processes that n8n starts are not measured.
delete process.env.NODE_OPTIONS;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
delay.enable();

/** Answers the longest time since the last request, in milliseconds. */
const server = createServer((_request, response) => {
	const longest = Math.max(0, delay.max / 1e6 - RESOLUTION);
	delay.reset();
	response.end(String(longest));
});
server.listen(Number(process.env.WATCH_PORT), '127.0.0.1');
server.unref();
