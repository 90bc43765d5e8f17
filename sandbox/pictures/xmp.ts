import type { Tool } from '../catalog';
import { escapeXml } from './escapeXml';
import { seedOf } from './random';

/** JPEG has room for 64 kB of XMP. */
const maxLength = 2000;

/**
 * Describes how a picture was made, as XMP: the sandbox, the tool, its prompt, its other settings
 * (JSON) and, if there is a prompt, the seed of all chance. An address of an image is left out.
 */
export function describeAsXmp(tool: Tool, settings: Record<string, string>): string {
	const { text } = settings;
	const others = Object.entries(settings)
		.filter(([name]) => name !== 'text' && name !== 'image')
		.map(([name, value]) => [name, value.slice(0, maxLength)]);
	const facts = {
		'xmp:CreatorTool': 'Image API sandbox (no AI model)',
		'sandbox:tool': tool,
		'sandbox:settings': JSON.stringify(Object.fromEntries(others)),
		...(text !== undefined && {
			'sandbox:prompt': text.slice(0, maxLength),
			'sandbox:seed': String(seedOf(text)),
		}),
	};
	const elements = Object.entries(facts).map(
		([name, value]) => `<${name}>${escapeXml(value)}</${name}>`,
	);
	return `<x:xmpmeta xmlns:x="adobe:ns:meta/">\
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:sandbox="urn:image-api-sandbox:">\
${elements.join('')}</rdf:Description></rdf:RDF></x:xmpmeta>`;
}
