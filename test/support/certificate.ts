import { generateKeyPairSync, sign } from 'node:crypto';

const OIDS = {
	commonName: '550403',
	ecdsaWithSha256: '2a8648ce3d040302',
};
const TAGS = {
	integer: 0x02,
	bits: 0x03,
	oid: 0x06,
	text: 0x0c,
	time: 0x17,
	sequence: 0x30,
	set: 0x31,
};

/** Makes a self-signed certificate and its key, as an HTTPS server takes them. */
export function selfSigned(host: string): { key: string; cert: string } {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = der('sequence', der('oid', Buffer.from(OIDS.ecdsaWithSha256, 'hex')));
	const attribute = der(
		'sequence',
		der('oid', Buffer.from(OIDS.commonName, 'hex')),
		der('text', Buffer.from(host)),
	);
	const name = der('sequence', der('set', attribute));
	const times = ['250101000000Z', '491231235959Z'].map((time) => der('time', Buffer.from(time)));
	const content = der(
		'sequence',
		der('integer', Buffer.from([1])),
		algorithm,
		name,
		der('sequence', ...times),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = sign('sha256', content, privateKey);
	// A signature has no unused bits.
	const whole = der('sequence', content, algorithm, der('bits', Buffer.from([0]), signature));
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
	};
}

/** One value of ASN.1 in DER, of fewer than 65,536 bytes. */
function der(tag: keyof typeof TAGS, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([TAGS[tag], ...size]), content]);
}
