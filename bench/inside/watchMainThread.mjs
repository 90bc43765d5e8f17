/** Loaded into an n8n before its own code: tells over HTTP how busy it was. */
import { createServer } from 'node:http';

/** How often to look, in milliseconds: shorter stretches are added up. */
const INTERVAL = 5;

// The processes that n8n starts are not measured.
delete process.env.NODE_OPTIONS;

let longest = 0;
let before = usedTime();

/**
 * Looks how much processor time was used since the last look, which comes late if the thread is busy. The
 * time of day would count other programs on the machine as well.
 */
function look() {
	const now = usedTime();
	longest = Math.max(longest, now - before);
	before = now;
}
setInterval(look, INTERVAL).unref();

/** Processor time of the main thread so far, in milliseconds. */
function usedTime() {
	// Node has it since 23.9.
	const { threadCpuUsage } =
		/** @type {NodeJS.Process & { threadCpuUsage: () => NodeJS.CpuUsage }} */ (process);
	const { user, system } = threadCpuUsage();
	return (user + system) / 1000;
}

/** Answers the longest time since the last request, and the processor time of the whole process. */
const server = createServer((_request, response) => {
	look();
	const { user, system } = process.cpuUsage();
	response.end(JSON.stringify({ longest, used: (user + system) / 1000, at: performance.now() }));
	longest = 0;
});
server.listen(Number(process.env.WATCH_PORT), '127.0.0.1');
server.unref();
