import { readdirSync, readFileSync } from 'fs';
import { parse } from 'path';

import { processNow } from '../support/remembered';

const page = readFileSync('docs/development/architecture.md', 'utf8');
const [, picture = ''] = /```mermaid\n([\s\S]*?)```/.exec(page) ?? [];
const inProcess = Object.keys(processNow());

it('the picture of where each fact is kept shows all that a process knows', () => {
	const [, part = ''] = /subgraph process [^\n]*\n([\s\S]*?)\n\tend/.exec(picture) ?? [];
	const boxes = Array.from(part.matchAll(/^\s*(\w+)\["/gm), ([, name]) => name);

	expect(boxes.sort()).toStrictEqual(inProcess.sort());
});

it('each other box of the picture is named after the file that does what it says', () => {
	const files = readdirSync('nodes', { recursive: true, encoding: 'utf8' });
	const names = files.map((path) => parse(path).name);
	const described = Array.from(picture.matchAll(/\["(\w+): /g), ([, name = '']) => name);

	expect(described).toContain('recall');
	expect(described.filter((name) => ![...names, ...inProcess].includes(name))).toStrictEqual([]);
});
