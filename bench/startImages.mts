import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pngLike } from './inside/pngLike.mjs';

/** Serves images that differ from each other. */
export interface ImageServer {
	/** URLs of so many images of this size. Those of another name are others. */
	urls(name: string, bytes: number, count: number): string[];
	stop: () => Promise<void>;
}

export async function startImages(): Promise<ImageServer> {
	const server = createServer(({ url = '' }, response) => {
		const [, bytes = ''] = url.split('/');
		response.setHeader('content-type', 'image/png');
		response.end(Buffer.concat([...pngLike(Number(bytes), url)]));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		urls: (name, bytes, count) =>
			Array.from(
				{ length: count },
				(_, image) => `http://127.0.0.1:${port}/${bytes}/${name}/${image}.png`,
			),
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
