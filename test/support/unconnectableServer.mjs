import { writeSync } from 'node:fs';
import { createServer } from 'node:net';

// The system queues two connections and then establishes no more, because this process blocks and
// never accepts one.
const server = createServer();
server.listen(0, '127.0.0.1', 1, () => {
	const address = server.address();
	writeSync(1, `${typeof address === 'object' ? address?.port : ''}\n`);
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
