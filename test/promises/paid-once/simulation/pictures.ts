import { Readable } from 'node:stream';
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Three by three pixels. */
const HEADER = Buffer.from('00000003000000030802000000', 'hex');
const PIXELS = deflateSync(Buffer.alloc(3 * (1 + 3 * 3)));

/** A PNG whose bytes say which picture it is. */
export function pictureOf(text: string): Buffer {
	return Buffer.concat([
		SIGNATURE,
		chunk('IHDR', HEADER),
		chunk('tEXt', Buffer.from(`Title\0${text}`)),
		chunk('IDAT', PIXELS),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

/** What the bytes of a picture say. */
export function textIn(picture: Buffer): string {
	const start = picture.indexOf('Title\0') + 'Title\0'.length;
	const length = picture.readUInt32BE(start - 'Title\0'.length - 8) - 'Title\0'.length;
	return picture.toString('utf8', start, start + length);
}

/** A response as n8n's HTTP client returns it. */
export function response(statusCode: number, type: string, body: Buffer | string) {
	return {
		statusCode,
		headers: { 'content-type': type },
		body: Readable.from([Buffer.from(body)], { objectMode: false }),
	};
}

function chunk(name: string, data: Buffer): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const named = Buffer.concat([Buffer.from(name), data]);
	const check = Buffer.alloc(4);
	check.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, check]);
}
