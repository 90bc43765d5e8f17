import { writeSync } from 'node:fs';
import { createServer } from 'node:net';

// Once two connections wait for it, the system lets no further one come about, as this process
// never takes one: it stands still from here on.
const server = createServer();
server.listen(0, '127.0.0.1', 1, () => {
	const address = server.address();
	writeSync(1, `${typeof address === 'object' ? address?.port : ''}\n`);
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
