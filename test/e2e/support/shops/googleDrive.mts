import { notFound, type StandIn } from './interceptHttps.mjs';

/** A file of the drive. */
export interface DriveFile {
	id: string;
	name: string;
	webViewLink: string;
	bytes: Buffer;
}

const uploads = '/upload/drive/v3/files';

/** A drive that takes files by resumable upload, as n8n sends those from its storage. */
export function googleDrive(files: DriveFile[]): StandIn {
	return async (request) => {
		const { pathname, searchParams } = new URL(request.url);
		const id = searchParams.get('upload_id') ?? pathname.split('/').at(-1);
		const file = files.find((each) => each.id === id);
		if (request.method === 'POST' && pathname === uploads) {
			const { name } = (await request.json()) as { name: string };
			const newId = `file${files.length + 1}`;
			const webViewLink = `https://drive.google.com/file/d/${newId}/view`;
			files.push({ id: newId, name, webViewLink, bytes: Buffer.alloc(0) });
			const location = `https://www.googleapis.com${uploads}?upload_id=${newId}`;
			return new Response(null, { headers: { location } });
		}
		if (request.method === 'PUT' && pathname === uploads && file) {
			file.bytes = Buffer.concat([file.bytes, Buffer.from(await request.arrayBuffer())]);
			return Response.json({ id: file.id });
		}
		if (request.method === 'PATCH' && pathname === `/drive/v3/files/${id}` && file) {
			const { name, webViewLink } = file;
			return Response.json({ id: file.id, name, webViewLink });
		}
		return notFound(request);
	};
}
