import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** The class fields that n8n shows, or that other tests compare as a whole. */
const SHOWN = ['description', 'displayName', 'documentationUrl', 'icon', 'name', 'properties'];

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'shown', {
		/** @param {{ node: { type: string, key?: { name?: string } } }} path */
		shouldIgnore: ({ node: { type, key } }) =>
			type === 'ClassProperty' && SHOWN.includes(key?.name ?? '')
				? 'It is what n8n shows.'
				: undefined,
	}),
];
