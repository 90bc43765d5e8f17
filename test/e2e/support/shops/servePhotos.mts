import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves photos at `<url>/<name>.jpg`, whatever the query is. */
export async function servePhotos(photos: Readonly<Record<string, Buffer>>) {
	const server = createServer(({ url = '' }, response) => {
		const [, name = ''] = /^\/(\w+)\.jpg/.exec(url) ?? [];
		const photo = photos[name];
		response.writeHead(photo ? 200 : 404, { 'content-type': 'image/jpeg' }).end(photo);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
