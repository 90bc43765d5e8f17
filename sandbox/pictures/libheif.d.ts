/** Types for the part of libheif-js that the sandbox uses; it declares none for this file. */
declare module 'libheif-js/wasm-bundle.js' {
	interface Pixels {
		/** RGBA, 4 bytes each. */
		data: Uint8ClampedArray;
		width: number;
		height: number;
	}

	interface HeifImage {
		is_primary(): boolean;
		get_width(): number;
		get_height(): number;
		/** Decodes into `pixels.data`; calls `done` with null if that is not possible. */
		display(pixels: Pixels, done: (pixels: Pixels | null) => void): void;
		free(): void;
	}

	const libheif: {
		HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] };
	};
	export default libheif;
}
